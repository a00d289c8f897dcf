import { useState } from 'react'
import type { ActivityEntry } from '../../../../contract/account/activity.ts'
import { describeActivity, byDay } from '../../../domain/copy/activity-entries.ts'
import { EntryIcon, entryTone } from '../../../ui/EntryIcon.tsx'
import { dayLabel } from '../../../domain/time/date-formats.ts'

/** Entries grouped by day. Shows the number of entries of a day only after all of them have loaded. */
export function ActivityDays({ entries, isWhole }: { entries: readonly ActivityEntry[]; isWhole: boolean }) {
  const [now] = useState(Date.now)
  const days = byDay(entries)
  return days.map(({ day, entries: own }, at) => {
    const { name, date } = dayLabel(day, now)
    // `dayLabel` includes the weekday in the date of today and yesterday; the heading omits it.
    const heading = `${name}, ${date.replace(/^[A-Z][a-z]+day /, '')}`
    return (
      <section key={day} className="activity-day" aria-label={heading}>
        <h3>
          {heading}
          {(isWhole || at < days.length - 1) && <span>{own.length}</span>}
        </h3>
        <ul>
          {own.map((entry) => (
            <EntryRow key={entry.id} entry={entry} />
          ))}
        </ul>
      </section>
    )
  })
}

function EntryRow({ entry }: { entry: ActivityEntry }) {
  const { title, line, time } = describeActivity(entry)
  const tone = entryTone(entry.kind)
  return (
    <li className="list-row">
      <span className="row-icon" data-tone={tone}>
        <EntryIcon kind={entry.kind} />
      </span>
      <span className="row-text">
        <b>
          {title}
          {tone === 'warning' && (
            <a className="not-you" href="#not-you">
              Not you?
            </a>
          )}
        </b>
        {line !== '' && <small>{line}</small>}
      </span>
      <time dateTime={new Date(entry.at).toISOString()}>{time}</time>
    </li>
  )
}
