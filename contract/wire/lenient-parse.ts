import * as v from 'valibot'

/** Lenient parser for data that another version stored or sent. It checks each field and entry separately. */

type LenientSchema<T> = v.GenericSchema<unknown, T>

/**
 * Returns the schema of an object in which a missing or unreadable field gets its value from `defaults`. A field
 * without a default is checked as in `schema`.
 */
// @__NO_SIDE_EFFECTS__
export function lenientObject<E extends v.ObjectEntries>(
  schema: v.ObjectSchema<E, undefined>,
  defaults: { readonly [K in keyof E]?: v.InferOutput<E[K]> },
): LenientSchema<v.InferOutput<v.ObjectSchema<E, undefined>>> {
  const fields = Object.entries<v.GenericSchema>(schema.entries).map(([name, field]) => [
    name,
    name in defaults ? v.fallback(field, defaults[name]) : field,
  ])
  return v.object(Object.fromEntries(fields)) as unknown as LenientSchema<v.InferOutput<v.ObjectSchema<E, undefined>>>
}

/** Returns the schema of an array that omits unreadable entries; empty if the value is not an array. */
// @__NO_SIDE_EFFECTS__
export function lenientArray<T>(item: LenientSchema<T>): LenientSchema<T[]> {
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

/** Returns the schema of a record that omits unreadable entries; empty if the value is not a record. */
// @__NO_SIDE_EFFECTS__
export function lenientRecord<T>(value: LenientSchema<T>): LenientSchema<Record<string, T>> {
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

export const lenientStrings = lenientArray(v.string())

/** Returns the value of a JSON text; null if it is not JSON or does not match the schema. */
export function parseJsonAs<T>(schema: LenientSchema<T>, text: string | null | undefined): T | null {
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

/** Parses a message. Returns the whole message if it matches `exact`, else the parts that match `lenient`. */
export function parseMessage<T>(
  text: string,
  exact: LenientSchema<T>,
  lenient: LenientSchema<T>,
): LenientParseResult<T> {
  const value = tryParseJson(text)
  const whole = v.safeParse(exact, value)
  const type = v.is(typedMessage, value) ? value.type.slice(0, 40) : null
  if (whole.success) return { type, message: whole.output, problem: null }
  const part = v.safeParse(lenient, value)
  const problem = `${type ?? 'unknown type'}: ${v.getDotPath(whole.issues[0]) ?? 'unexpected format'}`
  return { type, message: part.success ? part.output : null, problem }
}

const typedMessage = v.object({ type: v.string() })

const PROBLEMS_MAX = 50

/**
 * Counts problems with unreadable data, so that each problem is logged only at its 1st, 10th, 100th occurrence, and so
 * on.
 */
export class ParseProblemCounter {
  readonly #counts = new Map<string, number>()

  /** Counts one occurrence of a problem. Returns the new count if it should be logged, else 0. */
  countProblem(problem: string): number {
    const kind = this.#counts.has(problem) || this.#counts.size < PROBLEMS_MAX ? problem : ''
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    return Number.isInteger(Math.log10(count)) ? count : 0
  }
}
