import * as v from 'valibot'

/** Reads what another version has stored or sent: field by field, entry by entry, as far as it can be read. */

type Readable<T> = v.GenericSchema<unknown, T>

/** An object of which each field named in `defaults` has that value where it is missing or cannot be read. */
// @__NO_SIDE_EFFECTS__
export function withDefaults<E extends v.ObjectEntries>(
  schema: v.ObjectSchema<E, undefined>,
  defaults: { readonly [K in keyof E]?: v.InferOutput<E[K]> },
): Readable<v.InferOutput<v.ObjectSchema<E, undefined>>> {
  const fields = Object.entries<v.GenericSchema>(schema.entries).map(([name, field]) => [
    name,
    name in defaults ? v.fallback(field, defaults[name]) : field,
  ])
  return v.object(Object.fromEntries(fields)) as unknown as Readable<v.InferOutput<v.ObjectSchema<E, undefined>>>
}

/** An array without the entries that cannot be read; empty when it is none. */
// @__NO_SIDE_EFFECTS__
export function readableArray<T>(item: Readable<T>): Readable<T[]> {
  return v.pipe(
    v.fallback(v.array(v.unknown()), []),
    v.transform((entries) =>
      entries.flatMap((entry) => {
        const parsed = v.safeParse(item, entry)
        return parsed.success ? [parsed.output] : []
      }),
    ),
  )
}

/** A record without the entries that cannot be read; empty when it is none. */
// @__NO_SIDE_EFFECTS__
export function readableRecord<T>(value: Readable<T>): Readable<Record<string, T>> {
  return v.pipe(
    v.fallback(v.record(v.string(), v.unknown()), {}),
    v.transform((entries) =>
      Object.fromEntries(
        Object.entries(entries).flatMap(([name, entry]) => {
          const parsed = v.safeParse(value, entry)
          return parsed.success ? [[name, parsed.output] as const] : []
        }),
      ),
    ),
  )
}

/** Strings of a stored list. */
export const strings = readableArray(v.string())

/** The value of a JSON text by its schema; null where it is none, or not of that form. */
export function readJson<T>(schema: Readable<T>, text: string | null | undefined): T | null {
  const parsed = v.safeParse(schema, tryParseJson(text))
  return parsed.success ? parsed.output : null
}

/** The value of a JSON text; undefined where it is none. */
function tryParseJson(text: string | null | undefined): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

export interface Reading<T> {
  /** Null: it is no message at all. */
  readonly type: string | null
  /** Null: nothing of it can be used. */
  readonly message: T | null
  /** What could not be read: type and place, such as `welcome: homes.0.cameras.1.settings`; null: it is whole. */
  readonly problem: string | null
}

/** Reads a message of the other side: whole by `exact`, or else as much as `tolerant` takes of it. */
export function readMessage<T>(text: string, exact: Readable<T>, tolerant: Readable<T>): Reading<T> {
  const value = tryParseJson(text)
  const whole = v.safeParse(exact, value)
  const type = v.is(typed, value) ? value.type.slice(0, 40) : null
  if (whole.success) return { type, message: whole.output, problem: null }
  const part = v.safeParse(tolerant, value)
  const problem = `${type ?? 'no message'}: ${v.getDotPath(whole.issues[0]) ?? 'its form'}`
  return { type, message: part.success ? part.output : null, problem }
}

const typed = v.object({ type: v.string() })

/** Kinds of problems that are told apart. */
const KINDS_MAX = 50

/** Counts what could not be read, so that each kind is said when it is first met and at every tenfold. */
export class Unreadable {
  private readonly counts = new Map<string, number>()

  /** How often the problem was met, this time included, where that is worth a line; else 0. */
  met(problem: string): number {
    const kind = this.counts.has(problem) || this.counts.size < KINDS_MAX ? problem : ''
    const count = (this.counts.get(kind) ?? 0) + 1
    this.counts.set(kind, count)
    return Number.isInteger(Math.log10(count)) ? count : 0
  }
}
