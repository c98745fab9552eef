// The package has no types of its own.
declare module 'asl-validator' {
  const validate: (definition: unknown) => { isValid: boolean; errors: unknown[] };
  export = validate;
}
