import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { describeFormats, formatZoneName } from '../../../domain/copy/regional-formats.ts'
import { getBrowserTimeZone } from '../../../domain/time/local-time.ts'
import { $homeTimeZone, loadHomeTimeZone, replaceHomeTimeZone } from '../../../stores/account/home-time-zone.ts'
import { $formatLocale, FORMAT_LOCALES, setFormatLocale } from '../../../stores/account/regional-formats.ts'
import { useAction } from '../../../ui/use-action.ts'

/** Date and time formats of this browser, each shown by an example, and the time zone that emails use. */
export function RegionalFormatsPanel() {
  const chosenLocale = useStore($formatLocale)
  const [now] = useState(Date.now)
  return (
    <section className="card overview-panel" aria-labelledby="formats-title">
      <h3 id="formats-title">Dates and times</h3>
      <div className="field mt-2">
        <label htmlFor="formats">Format in this browser</label>
        <select
          id="formats"
          className="input h-11! flex-none!"
          value={chosenLocale}
          onChange={({ target }) => setFormatLocale(target.value)}
        >
          <option value="">Automatic: {describeFormats(navigator.language, now)}</option>
          {FORMAT_LOCALES.map((locale) => (
            <option key={locale} value={locale}>
              {describeFormats(locale, now)}
            </option>
          ))}
        </select>
      </div>
      <HomeTimeZone />
    </section>
  )
}

/** Time zone of the home. If the browser is in another one, says which pages use which, and offers the browser's. */
function HomeTimeZone() {
  const homeZone = useStore($homeTimeZone)
  const { isBusy, run } = useAction()
  useEffect(() => void loadHomeTimeZone(), [])
  if (homeZone === '') return null
  const browserZone = getBrowserTimeZone()
  if (homeZone === browserZone)
    return <p className="text-small text-ink-2 mt-2">Your home’s time zone is {formatZoneName(homeZone)}.</p>
  return (
    <>
      <p className="text-small text-ink-2 mt-2">
        Emails use your home’s time zone, {formatZoneName(homeZone)}. This browser uses {formatZoneName(browserZone)}{' '}
        time.
      </p>
      <button
        type="button"
        className="btn btn-outline btn-sm mt-2"
        aria-disabled={isBusy}
        onClick={() => void run(replaceHomeTimeZone)}
      >
        {isBusy ? 'Changing…' : `Use ${formatZoneName(browserZone)} time for my home`}
      </button>
    </>
  )
}
