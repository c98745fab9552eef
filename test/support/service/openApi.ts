// The service's OpenAPI document: its operations, and validation against its schemas.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export type Json = Record<string, unknown>;
export type Operation = {
  operationId: string;
  summary: string;
  security: Json[];
  parameters?: { name: string; in: string; required?: boolean; schema: Json }[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<
    string,
    { description: string; content: { 'application/json': { schema: Json; example?: unknown } } }
  >;
};
export type OpenApiDocument = {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json>; securitySchemes: Record<string, Json> };
};
export type NamedOperation = { name: string; method: string; path: string; operation: Operation };

/** All operations, named like `POST /v3/assets`. */
export function operationsOf({ paths }: OpenApiDocument): NamedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}

/** Returns a function that validates a value against a schema of the document and returns the errors. */
export function validator(document: OpenApiDocument): (schema: Json, value: unknown) => unknown[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ $id: 'document', ...document });
  // Compiling a schema takes longer than a request.
  const compiled = new Map<Json, ValidateFunction>();
  return (schema, value) => {
    const known = compiled.get(schema);
    const validate = known ?? ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')));
    compiled.set(schema, validate);
    return validate(value) ? [] : (validate.errors ?? []);
  };
}
