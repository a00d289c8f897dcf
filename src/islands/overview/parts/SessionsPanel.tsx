import { formatCount } from '../../../domain/copy/counts.ts'
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import {
  $sessions,
  endOtherSessions,
  endSession,
  loadSessions,
  type BrowserSession,
} from '../../../stores/account/sessions.ts'
import { DeviceIcon } from '../../../ui/DeviceIcon.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { dateTimeLabel } from '../../../domain/time/date-formats.ts'

const VISIBLE_SESSIONS = 3

/** Sessions of the account, this browser first. */
export function SessionsPanel() {
  const list = useStore($sessions)
  useEffect(() => void loadSessions(), [])
  const all = list.state === 'ready' ? list.sessions.toSorted((a, b) => Number(b.current) - Number(a.current)) : []
  return (
    <section className="card overview-panel" aria-labelledby="sessions-title" aria-busy={list.state === 'loading'}>
      <header className="panel-head">
        <h3 id="sessions-title">Signed in on</h3>
        {all.length > 0 && <span className="text-small text-ink-2">{formatCount(all.length, 'device')}</span>}
      </header>
      {list.state === 'loading' && <RowsSkeleton rows={1} label="Loading where you are signed in" />}
      {list.state === 'failed' && (
        <LoadError
          title="Your sessions could not be loaded"
          text={list.failure.text}
          onRetry={() => void loadSessions()}
        />
      )}
      {all.length > 0 && (
        <ul>
          {all.slice(0, VISIBLE_SESSIONS).map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
      {all.length > VISIBLE_SESSIONS && (
        <p className="panel-none">
          <a className="text-action" href="/account/activity">
            All {all.length} devices
          </a>
        </p>
      )}
      {all.length > 1 && <EndOtherSessions count={all.length - 1} />}
    </section>
  )
}

function SessionRow({ session }: { session: BrowserSession }) {
  const { isBusy, run } = useAction()
  const [now] = useState(Date.now)
  return (
    <li className="list-row">
      <DeviceIcon device={session.device} />
      <span className="row-text">
        <b>{session.device}</b>
        <small>{session.current ? 'This device, now' : dateTimeLabel(session.last_used * 1000, now)}</small>
      </span>
      {session.current ? (
        <span className="badge badge-success">Here</span>
      ) : (
        <button
          type="button"
          className="text-action"
          aria-label={`End the session of ${session.device}`}
          aria-disabled={isBusy}
          onClick={() => void run(() => endSession(session))}
        >
          {isBusy ? 'Ending' : 'End'}
        </button>
      )}
    </li>
  )
}

function EndOtherSessions({ count }: { count: number }) {
  const [isAsking, setIsAsking] = useState(false)
  const { isBusy, run } = useAction()
  const endAndClose = async () => {
    await run(endOtherSessions)
    setIsAsking(false)
  }
  if (!isAsking)
    return (
      <button type="button" className="btn btn-outline btn-sm panel-wide" onClick={() => setIsAsking(true)}>
        {count === 1 ? 'End the other' : `End the ${count} others`}
      </button>
    )
  return (
    <div role="group" aria-label="End the others" className="panel-ask">
      <p>Every other browser asks for your password again. This one stays signed in.</p>
      <button
        type="button"
        className="btn btn-primary"
        autoFocus
        aria-disabled={isBusy}
        onClick={() => void endAndClose()}
      >
        {isBusy ? 'Ending' : 'Yes, end all others'}
      </button>
      <button type="button" className="btn btn-outline" onClick={() => setIsAsking(false)}>
        Keep them
      </button>
    </div>
  )
}
