import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope } from '../wire/envelope.ts'

/** IANA name of a time zone, such as `America/New_York`. */
export const timeZoneName = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_+/-]{1,64}$/))

/**
 * Stores the time zone of the account's home, which emails use (OPEN-168). Without `replace`, an already stored zone
 * stays. Returns the stored zone. 400: the zone does not exist.
 */
export const setHomeTimeZone = call(
  'EXT-time-zone',
  'PUT',
  '/extension/time-zone',
  'extension',
  {
    request: v.object({ time_zone: timeZoneName, replace: v.boolean() }),
    response: envelope(200, v.object({ time_zone: timeZoneName })),
  },
  { nonce: true },
)
