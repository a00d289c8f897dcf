import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { describeFormats } from '../../../domain/copy/regional-formats.ts'
import { $formatLocale, FORMAT_LOCALES, setFormatLocale } from '../../../stores/account/regional-formats.ts'

/** Date and time formats of this browser, each shown by an example. */
export function RegionalFormatsPanel() {
  const chosenLocale = useStore($formatLocale)
  const [now] = useState(Date.now)
  return (
    <section className="card overview-panel" aria-labelledby="formats-title">
      <h3 id="formats-title">Dates and times</h3>
      <label className="field mt-2">
        Format in this browser
        <select className="input" value={chosenLocale} onChange={({ target }) => setFormatLocale(target.value)}>
          <option value="">Automatic: {describeFormats(navigator.language, now)}</option>
          {FORMAT_LOCALES.map((locale) => (
            <option key={locale} value={locale}>
              {describeFormats(locale, now)}
            </option>
          ))}
        </select>
      </label>
    </section>
  )
}
