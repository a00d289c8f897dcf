import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import type { GroupName } from './endpoint-groups.ts'

/** Names a request in the answers of the edge, in its calls to the provider (TOKEN-08) and in every report. */
export const REQUEST_ID_HEADER = 'request_id'

/** Who speaks the call: the edge gateway for the browser, the edge itself, the OAuth client, the fraud collector, a telemetry sink. */
export type Via = 'gateway' | 'edge' | 'oauth' | 'collector' | 'sink'
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Whether the payload of a call is its query; else it is its body. Client, edge and provider ask here. */
export const isInQuery = (method: string): boolean => method === 'GET'

/**
 * One row CALL. `path` holds `{name}` placeholders. `request` describes the payload (see `isInQuery`;
 * `nonce` and `user_id` are set by the edge, so they are not part of it). A row whose schemas are null is known, but
 * not served yet: the gateway does not forward it.
 */
export interface Call<
  Request extends GenericSchema | null = GenericSchema | null,
  Response extends GenericSchema | null = GenericSchema | null,
> {
  /** Row of the requirements ledger, e.g. `CALL-28`; extension calls have `EXT-<name>`. */
  readonly ledger: string
  readonly method: Method
  readonly path: string
  readonly group: GroupName
  readonly via: Via
  /** The `code` of the answer that means success (OPEN-56: 1 in the home group, 200 elsewhere). */
  readonly success: number
  /** Whether the payload carries a fresh `nonce` (CALL-73). */
  readonly nonce: boolean
  /** Whether the payload carries the signed-in user's `user_id`, set by the edge. */
  readonly userId: boolean
  readonly request: Request
  readonly response: Response
}

type Options = { via?: Via; success?: number; nonce?: boolean; userId?: boolean }

/** A call in use, with the schemas of both directions. A page that names none of a file's calls carries none of them. */
// @__NO_SIDE_EFFECTS__
export function call<Request extends GenericSchema, Response extends GenericSchema>(
  ledger: string,
  method: Method,
  path: string,
  group: GroupName,
  schemas: { request: Request; response: Response },
  options: Options = {},
): Call<Request, Response> {
  return { ...base(ledger, method, path, group, options), ...schemas }
}

/** A call that no screen uses yet: known by method, path, group and success code only. */
// @__NO_SIDE_EFFECTS__
export function declareUnusedCall(
  ledger: string,
  method: Method,
  path: string,
  group: GroupName,
  options: Options = {},
): Call<null, null> {
  return { ...base(ledger, method, path, group, options), request: null, response: null }
}

function base(ledger: string, method: Method, path: string, group: GroupName, options: Options) {
  const { via = 'gateway', success = 200, nonce = false, userId = false } = options
  return { ledger, method, path, group, via, success, nonce, userId }
}

export type RequestOf<C> = C extends Call<infer R, infer _> ? (R extends GenericSchema ? InferInput<R> : never) : never
export type ResponseOf<C> =
  C extends Call<infer _, infer R> ? (R extends GenericSchema ? InferOutput<R> : never) : never

/** The path with its `{name}` placeholders filled in, each encoded. */
export function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`Missing path parameter ${name} for ${path}.`)
    return encodeURIComponent(value)
  })
}

/** Where the edge's gateway takes a call of the browser. */
export const gatewayPath = ({ group, path }: Call, params: Readonly<Record<string, string>> = {}): string =>
  `/api/p/${group}${fillPath(path, params)}`
