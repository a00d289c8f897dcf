import type { Call, RequestOf, ResponseOf } from '../../contract/wire/call.ts'

/**
 * Data that a document has before any module loads. If this browser stores no token, `homeId` is null and `cameras` is
 * empty.
 */
export interface EarlyContext {
  /** Current time, ms UTC. */
  readonly now: number
  readonly search: string
  /** Environment that the document was served for (OPEN-57). */
  readonly environment: string
  /** Home of the last visit; null if none is stored. */
  readonly homeId: string | null
  readonly cameras: readonly { readonly device_id: string }[]
  /** True if no plan covered any camera at the last visit (OPEN-147). */
  readonly isFree: boolean
}

/** Stored session value that the URL of a request may contain. */
export type StoredSessionKey = 'userId'

type DataOf<C> = ResponseOf<C> extends { readonly data?: infer Data } ? Data : never

/**
 * Request that a document sends before any module loads. The document contains the functions of this object as text
 * (src/boot/early/inline-script.ts), so the functions may use only their arguments and browser APIs. A store that later
 * sends the same request receives the early response (src/early/early-fetch.ts).
 */
export interface EarlyRequest<C extends Call, About, Fixed extends object = object, Answer = never> {
  readonly call: C
  /** JSON constants that the functions need, and further functions of the same kind. */
  readonly fixed: Fixed
  /** Returns what to request, such as a span of events; null to send no request. */
  readonly about: (context: EarlyContext, constants: Fixed) => About | null
  readonly input: (subject: About, constants: Fixed) => RequestOf<C>
  /** Values of the `{placeholders}` of the path. */
  readonly params?: Readonly<Record<string, string>>
  /**
   * Placeholders and the stored session values that replace them. The request is sent only if the browser stores a
   * token and all these values.
   */
  readonly kept?: Readonly<Record<string, StoredSessionKey>>
  /** Runs in the document after it has sent the request. */
  readonly sent?: (constants: Fixed) => void
  /** Runs in the document on a successful response, before other code receives it. */
  readonly answered?: (data: Answer, constants: Fixed) => void
  /** Returns the URLs of the largest images of the first screen. The document loads them with high priority. */
  readonly pictures?: (data: DataOf<C>) => readonly string[]
}

/** Early request of a page, without the types of its arguments and response. */
export interface AnyEarlyRequest {
  readonly call: Call
  readonly fixed: object
  readonly about: (context: EarlyContext, constants: never) => unknown
  readonly input: (subject: never, constants: never) => object
  readonly params?: Readonly<Record<string, string>>
  readonly kept?: Readonly<Record<string, StoredSessionKey>>
  readonly sent?: (constants: never) => void
  readonly answered?: (data: never, constants: never) => void
  readonly pictures?: (data: never) => readonly string[]
}
