import { memo, useEffect } from 'react'
import { formatZoneName } from '../domain/copy/regional-formats.ts'
import { getBrowserTimeZone } from '../domain/time/local-time.ts'

interface ZoneNoteProps {
  /** Time zone (IANA name) of the home; '' until loaded. */
  readonly homeZone: string
  readonly load: () => Promise<void>
  readonly className: string
}

/** Says which time zone the page uses if the browser is in another one than the home; otherwise nothing. */
export const ZoneNote = memo(function ZoneNote({ homeZone, load, className }: ZoneNoteProps) {
  const browserZone = getBrowserTimeZone()
  useEffect(() => {
    if (homeZone === '') void load()
  }, [homeZone, load])
  if (homeZone === '' || homeZone === browserZone) return null
  return (
    <p className={`text-small ${className}`}>
      Times are in the {formatZoneName(browserZone)} time zone, not your home’s ({formatZoneName(homeZone)}).
    </p>
  )
})
