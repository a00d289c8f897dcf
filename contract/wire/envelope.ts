import * as v from 'valibot'

/** Schema of a successful response: `{ code, data }`. */
// @__NO_SIDE_EFFECTS__
export function envelope<const Code extends number, Data extends v.GenericSchema>(code: Code, data: Data) {
  return v.object({ code: v.literal(code), data })
}

/** Id that is safe in a path or a storage key (OPEN-85). */
export const id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/))
export const deviceId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_]{1,40}$/))
/** Milliseconds UTC (OPEN-61). */
export const timestampMs = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8_640_000_000_000_000))
// @__NO_SIDE_EFFECTS__
export const text = (max: number) => v.pipe(v.string(), v.maxLength(max))
export const emptyObject = v.object({})
