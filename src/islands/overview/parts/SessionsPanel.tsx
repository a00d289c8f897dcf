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
        <h3 id="sessions-title">Your devices</h3>
        {all.length > 0 && <span className="text-small text-ink-2">{formatCount(all.length, 'device')}</span>}
      </header>
      {list.state === 'loading' && <RowsSkeleton rows={1} label="Loading your devices" />}
      {list.state === 'failed' && (
        <LoadError title="We couldn’t load your devices" text={list.failure.text} onRetry={() => void loadSessions()} />
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
      {all.length > 1 && <EndOtherSessions />}
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
        <small>{session.current ? 'This device' : dateTimeLabel(session.last_used * 1000, now)}</small>
      </span>
      {session.current ? (
        <span className="badge badge-success">Current</span>
      ) : (
        <button
          type="button"
          className="text-action"
          aria-label={`Log out ${session.device}`}
          aria-disabled={isBusy}
          onClick={() => void run(() => endSession(session))}
        >
          {isBusy ? 'Logging out…' : 'Log out'}
        </button>
      )}
    </li>
  )
}

function EndOtherSessions() {
  const [isAsking, setIsAsking] = useState(false)
  const { isBusy, run } = useAction()
  const endAndClose = async () => {
    await run(endOtherSessions)
    setIsAsking(false)
  }
  if (!isAsking)
    return (
      <button type="button" className="btn btn-outline btn-sm panel-wide" onClick={() => setIsAsking(true)}>
        Log out all other devices
      </button>
    )
  return (
    <div role="group" aria-label="Log out all other devices" className="panel-ask">
      <p>You’ll need to log in again on your other devices. This device stays logged in.</p>
      <button
        type="button"
        className="btn btn-primary"
        autoFocus
        aria-disabled={isBusy}
        onClick={() => void endAndClose()}
      >
        {isBusy ? 'Logging out…' : 'Log out all other devices'}
      </button>
      <button type="button" className="btn btn-outline" onClick={() => setIsAsking(false)}>
        Cancel
      </button>
    </div>
  )
}
