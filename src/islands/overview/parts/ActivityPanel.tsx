import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { ActivityEntry } from '../../../../contract/account/activity.ts'
import { describeActivity } from '../../../domain/copy/activity-entries.ts'
import { $activity, loadActivity } from '../../../stores/account/activity.ts'
import { ActivityIcon, getActivityTone } from '../../../ui/ActivityIcon.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx'
import { dateTimeLabel } from '../../../domain/time/date-formats.ts'

const VISIBLE_ENTRIES = 3

/** Newest entries of the account's activity log. A separate page shows all of them. */
export function ActivityPanel() {
  const activity = useStore($activity)
  useEffect(() => void loadActivity(), [])
  return (
    <section className="card overview-panel" aria-labelledby="activity-title" aria-busy={activity.state === 'loading'}>
      <header className="panel-head">
        <h3 id="activity-title">Activity</h3>
        <a className="text-action" href="/account/activity">
          All activity
        </a>
      </header>
      {activity.state === 'loading' && <RowsSkeleton rows={VISIBLE_ENTRIES} label="Loading activity" />}
      {activity.state === 'failed' && (
        <LoadError
          title="We couldn’t load your activity"
          text={activity.failure.text}
          onRetry={() => void loadActivity()}
        />
      )}
      {activity.state === 'ready' && activity.entries.length === 0 && (
        <p className="text-small text-ink-2 panel-none">No activity yet.</p>
      )}
      {activity.state === 'ready' && activity.entries.length > 0 && (
        <ul>
          {activity.entries.slice(0, VISIBLE_ENTRIES).map((entry) => (
            <ActivityRow key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
    </section>
  )
}

function ActivityRow({ entry }: { entry: ActivityEntry }) {
  const [now] = useState(Date.now)
  const { title, line } = describeActivity(entry)
  return (
    <li className="list-row">
      <span className="row-icon" data-tone={getActivityTone(entry.kind)}>
        <ActivityIcon kind={entry.kind} />
      </span>
      <span className="row-text">
        <b>{title}</b>
        {line !== '' && <small>{line}</small>}
      </span>
      <time dateTime={new Date(entry.until).toISOString()}>{dateTimeLabel(entry.until, now)}</time>
    </li>
  )
}
