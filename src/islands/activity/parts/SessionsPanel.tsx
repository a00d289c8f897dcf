import { useStore } from '@nanostores/react'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useEffect, useState } from 'react'
import { SESSION_IDLE_TIMEOUT_S, SESSION_LIFETIME_S } from '../../../../contract/auth/user-calls.ts'
import { lifetimeText, sessionText } from '../../../domain/copy/sessions.ts'
import {
  $sessions,
  endOtherSessions,
  endSession,
  loadSessions,
  type BrowserSession,
} from '../../../stores/account/sessions.ts'
import { DeviceIcon } from '../../../ui/DeviceIcon.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { LoadError } from '../../../ui/LoadError.tsx'
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx'

const DEFAULT_LIFETIMES = { idle: SESSION_IDLE_TIMEOUT_S, life: SESSION_LIFETIME_S }

/** Sessions of the account, and how long a session lasts. */
export function SessionsPanel() {
  const sessions = useStore($sessions)
  useEffect(() => void loadSessions(), [])
  const { idle, life } = sessions.state === 'ready' ? sessions : DEFAULT_LIFETIMES
  return (
    <section className="card sessions-panel" aria-labelledby="sessions-title">
      <h2 id="sessions-title">Your devices</h2>
      <p className="text-small text-ink-2">{lifetimeText(idle, life)}</p>
      {sessions.state === 'loading' && <RowsSkeleton rows={2} label="Loading your devices" />}
      {sessions.state === 'failed' && (
        <LoadError
          title="We couldn’t load your devices"
          text={sessions.failure.text}
          onRetry={() => void loadSessions()}
        />
      )}
      {sessions.state === 'ready' && (
        <>
          <ul>
            {sessions.sessions.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </ul>
          {sessions.sessions.some(({ current }) => !current) && <EndOtherSessions />}
        </>
      )}
    </section>
  )
}

function SessionRow({ session }: { session: BrowserSession }) {
  const { isBusy, run } = useAction()
  const [now] = useState(Date.now)
  return (
    <li className="list-row">
      <span className="row-icon">
        <DeviceIcon device={session.device} />
      </span>
      <span className="row-text">
        <b>{session.device}</b>
        <small>{sessionText(session, now)}</small>
      </span>
      {session.current ? (
        <span className="badge badge-success">
          <CircleCheck size={14} aria-hidden="true" />
          Current
        </span>
      ) : (
        <button
          type="button"
          className="btn btn-outline btn-sm"
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
  const end = async () => {
    await run(endOtherSessions)
    setIsAsking(false)
  }
  if (!isAsking)
    return (
      <>
        <button type="button" className="btn btn-outline sessions-all" onClick={() => setIsAsking(true)}>
          Log out all other devices
        </button>
        <p className="text-small text-ink-2">This logs out your other devices within seconds and stops their video.</p>
      </>
    )
  return (
    <div role="group" aria-label="Log out all other devices" className="sessions-ask">
      <p>You’ll need to log in again on your other devices. This device stays logged in.</p>
      <button type="button" className="btn btn-primary" autoFocus aria-disabled={isBusy} onClick={() => void end()}>
        {isBusy ? 'Logging out…' : 'Log out all other devices'}
      </button>
      <button type="button" className="btn btn-outline" onClick={() => setIsAsking(false)}>
        Cancel
      </button>
    </div>
  )
}
