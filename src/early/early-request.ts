import type { Call, RequestOf, ResponseOf } from '../../contract/wire/call.ts'

/** What a document knows before any module has come. What a session kept counts only where this browser remembers one. */
export interface EarlyContext {
  /** ms UTC */
  readonly now: number
  /** The query of the address. */
  readonly search: string
  /** The environment that the document was served for (OPEN-57). */
  readonly environment: string
  /** The home of the last visit, null where none is remembered. */
  readonly homeId: string | null
  /** The cameras of the last visit. */
  readonly cameras: readonly { readonly device_id: string }[]
  /** Whether no camera of the last visit was covered by a plan (OPEN-147). */
  readonly isFree: boolean
}

/** What a browser keeps of a session that the address of a question may hold. */
export type StoredSessionKey = 'userId'

/** What a successful answer holds. */
type DataOf<C> = ResponseOf<C> extends { readonly data?: infer Data } ? Data : never

/**
 * A question that a document asks before any module has come. Its functions are put into the document as text
 * (src/boot/early/inline-script.ts): they use their arguments and the browser, nothing from outside. The store that needs the
 * answer asks by the same input, and takes what is on its way only where that is equal (src/early/early-fetch.ts).
 */
export interface EarlyRequest<C extends Call, About, Fixed extends object = object, Answer = never> {
  readonly call: C
  /** Constants that the functions need; JSON. */
  readonly fixed: Fixed
  /** What is asked about; null where that is not known. */
  readonly about: (context: EarlyContext, fixed: Fixed) => About | null
  readonly input: (about: About, fixed: Fixed) => RequestOf<C>
  /** Values of the `{placeholders}` of the path. */
  readonly params?: Readonly<Record<string, string>>
  /** Those of them that this browser keeps of a session. It is asked only where all of them are there. */
  readonly kept?: Readonly<Record<string, StoredSessionKey>>
  /** Runs in the document once a successful answer is there, before anybody else has it. */
  readonly answered?: (data: Answer, fixed: Fixed) => void
  /** The largest pictures of the first screen by a successful answer: they go before all scripts that are still to come. */
  readonly pictures?: (data: DataOf<C>) => readonly string[]
}

/** A question of a page's table, whatever it is about. */
export interface AnyQuestion {
  readonly call: Call
  readonly fixed: object
  readonly about: (context: EarlyContext, fixed: never) => unknown
  readonly input: (about: never, fixed: never) => object
  readonly params?: Readonly<Record<string, string>>
  readonly kept?: Readonly<Record<string, StoredSessionKey>>
  readonly answered?: (data: never, fixed: never) => void
  readonly pictures?: (data: never) => readonly string[]
}
