// Objects with only the properties that were given.

type UndefinedKeys<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];

/** The type of an object without its undefined properties. */
export type Given<T> = Omit<T, UndefinedKeys<T>> & { [K in UndefinedKeys<T>]?: Exclude<T[K], undefined> };

/** Leaves out undefined properties: an option that is not given must be absent. */
export function given<T extends object>(object: T): Given<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Given<T>;
}
