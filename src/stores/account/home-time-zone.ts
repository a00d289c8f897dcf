import { setHomeTimeZone } from '../../../contract/account/home-time-zone.ts'
import { getBrowserTimeZone } from '../../domain/time/local-time.ts'
import { request } from '../../api/api-client.ts'
import { persistentText } from '../storage/persistent-atoms.ts'
import { withFailureShown, type Failure } from '../shell/report-failure.ts'

/** Time zone (IANA name) that emails of this home use, kept across visits; '' until loaded. */
export const $homeTimeZone = persistentText('home_time_zone', '')

/** Loads the time zone of the home. A home without one gets the browser's. A failure hides the time zone. */
export async function loadHomeTimeZone(): Promise<void> {
  const response = await request(setHomeTimeZone, { time_zone: getBrowserTimeZone(), replace: false })
  if (response.ok) $homeTimeZone.set(response.data.time_zone)
}

/** Makes emails use the browser's time zone. Returns the failure, which a toast shows; null on success. */
export async function replaceHomeTimeZone(): Promise<Failure | null> {
  const response = await withFailureShown(
    'toast',
    request(setHomeTimeZone, { time_zone: getBrowserTimeZone(), replace: true }),
  )
  if (!response.ok) return response
  $homeTimeZone.set(response.data.time_zone)
  return null
}
