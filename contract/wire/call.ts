import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import type { GroupName } from './endpoint-groups.ts'

/**
 * Header with the request id in responses of the edge and in its calls to the provider (TOKEN-08). Error reports
 * contain the same id.
 */
export const REQUEST_ID_HEADER = 'request_id'

/**
 * Route of a call. `gateway`: the edge forwards the call of a browser at `/api/p/` to the provider (edge gateway).
 * `edge`: the edge itself makes the call. `oauth`: call of the OAuth client. `collector`: call to the device collector.
 * `sink`: call to a telemetry sink.
 */
export type CallChannel = 'gateway' | 'edge' | 'oauth' | 'collector' | 'sink'
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Returns true if calls of this method send their payload in the query. Calls of all other methods send it in the body.
 * Client, edge and provider share this rule.
 */
export const hasQueryPayload = (method: string): boolean => method === 'GET'

/**
 * A CALL requirement or an extension call. `path` has `{name}` placeholders. `request`: payload without `nonce` and
 * `user_id`, which the edge adds. The edge gateway does not forward a call whose schemas are null.
 */
export interface Call<
  Request extends GenericSchema | null = GenericSchema | null,
  Response extends GenericSchema | null = GenericSchema | null,
> {
  /** Requirement id, such as `CALL-28`; extension calls have `EXT-<name>`. */
  readonly ledger: string
  readonly method: HttpMethod
  readonly path: string
  readonly group: GroupName
  readonly via: CallChannel
  /** `code` of a successful response (OPEN-56: 1 for home calls, 200 for all others). */
  readonly success: number
  /** True if the payload carries a fresh `nonce` (CALL-73). */
  readonly nonce: boolean
  /** True if the payload carries the signed-in user's `user_id`, set by the edge. */
  readonly userId: boolean
  readonly request: Request
  readonly response: Response
}

type CallOptions = { via?: CallChannel; success?: number; nonce?: boolean; userId?: boolean }

/** Declares a call with request and response schemas. Unused calls are removed from the bundles. */
// @__NO_SIDE_EFFECTS__
export function call<Request extends GenericSchema, Response extends GenericSchema>(
  requirementId: string,
  method: HttpMethod,
  path: string,
  group: GroupName,
  schemas: { request: Request; response: Response },
  options: CallOptions = {},
): Call<Request, Response> {
  return { ...createCallBase(requirementId, method, path, group, options), ...schemas }
}

/** Declares a call without schemas, such as a call of the OAuth client. The edge gateway does not forward it. */
// @__NO_SIDE_EFFECTS__
export function declareUnusedCall(
  requirementId: string,
  method: HttpMethod,
  path: string,
  group: GroupName,
  options: CallOptions = {},
): Call<null, null> {
  return { ...createCallBase(requirementId, method, path, group, options), request: null, response: null }
}

function createCallBase(
  requirementId: string,
  method: HttpMethod,
  path: string,
  group: GroupName,
  options: CallOptions,
) {
  const { via = 'gateway', success = 200, nonce = false, userId = false } = options
  return { ledger: requirementId, method, path, group, via, success, nonce, userId }
}

export type RequestOf<C> = C extends Call<infer R, infer _> ? (R extends GenericSchema ? InferInput<R> : never) : never
export type ResponseOf<C> =
  C extends Call<infer _, infer R> ? (R extends GenericSchema ? InferOutput<R> : never) : never

/** Replaces the `{name}` placeholders of a path by URL-encoded parameters. Throws if a parameter is missing. */
export function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`Missing path parameter ${name} for ${path}.`)
    return encodeURIComponent(value)
  })
}

export const formatGatewayPath = ({ group, path }: Call, params: Readonly<Record<string, string>> = {}): string =>
  `/api/p/${group}${fillPath(path, params)}`
