import * as v from 'valibot'

/** Lenient parse of data that another version stored or sent: field by field, entry by entry. */

type Readable<T> = v.GenericSchema<unknown, T>

/** Object in which a missing or unreadable field gets its value from `defaults`. */
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

/** Array without unreadable entries; empty if the value is not an array. */
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

/** Record without unreadable entries; empty if the value is not a record. */
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

export const strings = readableArray(v.string())

/** Returns the value of a JSON text; null if it is not JSON or does not match the schema. */
export function readJson<T>(schema: Readable<T>, text: string | null | undefined): T | null {
  const parsed = v.safeParse(schema, tryParseJson(text))
  return parsed.success ? parsed.output : null
}

function tryParseJson(text: string | null | undefined): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

export interface LenientParseResult<T> {
  /** Type of the message; null: the text is not a message. */
  readonly type: string | null
  /** Readable content of the message; null: nothing is usable. */
  readonly message: T | null
  /** Unreadable part as type and path, such as `welcome: homes.0.cameras.1.settings`; null: none. */
  readonly problem: string | null
}

/**
 * Reads a message from the other side: the whole message if it matches `exact`, else the parts that `tolerant` accepts.
 */
export function readMessage<T>(text: string, exact: Readable<T>, tolerant: Readable<T>): LenientParseResult<T> {
  const value = tryParseJson(text)
  const whole = v.safeParse(exact, value)
  const type = v.is(typed, value) ? value.type.slice(0, 40) : null
  if (whole.success) return { type, message: whole.output, problem: null }
  const part = v.safeParse(tolerant, value)
  const problem = `${type ?? 'no message'}: ${v.getDotPath(whole.issues[0]) ?? 'its form'}`
  return { type, message: part.success ? part.output : null, problem }
}

const typed = v.object({ type: v.string() })

const KINDS_MAX = 50

/** Counts unreadable data. A problem is reported at its first, 10th, 100th occurrence, and so on. */
export class Unreadable {
  private readonly counts = new Map<string, number>()

  /** Counts one more occurrence of a problem. Returns the new count if it is worth a log line, else 0. */
  met(problem: string): number {
    const kind = this.counts.has(problem) || this.counts.size < KINDS_MAX ? problem : ''
    const count = (this.counts.get(kind) ?? 0) + 1
    this.counts.set(kind, count)
    return Number.isInteger(Math.log10(count)) ? count : 0
  }
}
