import { useState } from 'react'
import type { ActivityEntry } from '../../../../contract/account/activity.ts'
import { describeActivity, groupActivityByDay } from '../../../domain/copy/activity-entries.ts'
import { ActivityIcon, getActivityTone } from '../../../ui/ActivityIcon.tsx'
import { dayLabel } from '../../../domain/time/date-formats.ts'

/** Entries grouped by day. Shows the number of entries of a day only after all entries of that day have loaded. */
export function ActivityDays({ entries, isComplete }: { entries: readonly ActivityEntry[]; isComplete: boolean }) {
  const [now] = useState(Date.now)
  const days = groupActivityByDay(entries)
  return days.map(({ day, entries: own }, at) => {
    const { name, date } = dayLabel(day, now)
    // `dayLabel` includes the weekday in the date of today and yesterday; the heading omits it.
    const heading = `${name}, ${date.replace(/^[A-Z][a-z]+day /, '')}`
    return (
      <section key={day} className="activity-day" aria-label={heading}>
        <h3>
          {heading}
          {(isComplete || at < days.length - 1) && <span>{own.length}</span>}
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
  const tone = getActivityTone(entry.kind)
  return (
    <li className="list-row">
      <span className="row-icon" data-tone={tone}>
        <ActivityIcon kind={entry.kind} />
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
