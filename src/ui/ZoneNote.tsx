import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { formatZoneName } from '../domain/copy/regional-formats.ts'
import { $homeTimeZone, getBrowserTimeZone, loadHomeTimeZone } from '../stores/account/home-time-zone.ts'

/** Says which time zone the page uses if the browser is in another one than the home; otherwise nothing. */
export function ZoneNote({ className }: { className: string }) {
  const homeZone = useStore($homeTimeZone)
  const browserZone = getBrowserTimeZone()
  useEffect(() => {
    if (homeZone === '') void loadHomeTimeZone()
  }, [homeZone])
  if (homeZone === '' || homeZone === browserZone) return null
  return (
    <p className={`text-small ${className}`}>
      Times use the {formatZoneName(browserZone)} time zone, not your home’s ({formatZoneName(homeZone)}).
    </p>
  )
}
