import { useStore } from '@nanostores/react'
import Download from 'lucide-react/icons/download'
import { useEffect } from 'react'
import { ACTIVITY_DAYS, type ActivityGroup } from '../../../../contract/account/activity.ts'
import {
  $activity,
  $activityGroup,
  loadActivity,
  selectActivityGroup,
  loadOlderActivity,
} from '../../../stores/account/activity.ts'
import { useAction } from '../../../ui/use-action.ts'
import { ActivityDays } from './ActivityDays.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx'

const GROUP_CHIPS: readonly (readonly [ActivityGroup | null, string])[] = [
  [null, 'All'],
  ['sign-ins', 'Logins'],
  ['guests', 'Guests'],
  ['changes', 'Changes'],
  ['exports', 'Exports'],
]

export function ActivityPanel() {
  const group = useStore($activityGroup)
  useEffect(() => void loadActivity(), [])
  return (
    <section className="card activity-panel" aria-labelledby="activity-title">
      <header>
        <div>
          <h2 id="activity-title">Activity</h2>
          <p className="text-small text-ink-2">
            The last {ACTIVITY_DAYS} days. Guests know you can see their activity.
          </p>
        </div>
        <DownloadButton />
      </header>
      <div className="activity-chips" role="group" aria-label="Show">
        {GROUP_CHIPS.map(([chipGroup, word]) => (
          <button
            key={word}
            type="button"
            className="chip"
            aria-pressed={chipGroup === group}
            onClick={() => void selectActivityGroup(chipGroup)}
          >
            {word}
          </button>
        ))}
      </div>
      <ActivityEntryList />
    </section>
  )
}

function DownloadButton() {
  const { isBusy, run } = useAction()
  const save = () => run(() => import('../../../stores/account/activity-csv.ts').then((file) => file.saveActivityCsv()))
  return (
    <button type="button" className="activity-save" aria-disabled={isBusy} onClick={() => void save()}>
      {isBusy ? <span className="spinner" /> : <Download size={16} aria-hidden="true" />}
      {isBusy ? 'Preparing…' : 'Download'}
    </button>
  )
}

function ActivityEntryList() {
  const activity = useStore($activity)
  const group = useStore($activityGroup)
  if (activity.state === 'loading') return <RowsSkeleton rows={6} label="Loading activity" />
  if (activity.state === 'failed')
    return (
      <LoadError
        title="We couldn’t load your activity"
        text={activity.failure.text}
        onRetry={() => void loadActivity()}
      />
    )
  if (activity.entries.length === 0)
    return (
      <p className="activity-none">
        {group === null ? 'No activity in the last 90 days.' : 'No activity of this kind in the last 90 days.'}
      </p>
    )
  const { entries, next, older } = activity
  return (
    <>
      <ActivityDays entries={entries} isComplete={next === null} />
      {typeof older === 'object' && <LoadError text={older.text} onRetry={() => void loadOlderActivity()} />}
      {next !== null && typeof older === 'string' && (
        <button
          type="button"
          className="btn btn-outline activity-older"
          aria-disabled={older === 'loading'}
          onClick={() => void loadOlderActivity()}
        >
          {older === 'loading' && <span className="spinner" />}
          {older === 'loading' ? 'Loading…' : 'Show older activity'}
        </button>
      )}
    </>
  )
}
