import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import type { AccountNotification } from '../../../../contract/account/notifications.ts'
import { $messages, loadMessages, markSeen } from '../../../stores/account/notifications.ts'
import { LoadError } from '../../../ui/LoadError.tsx'
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx'
import { MessageIcon } from './NotificationIcon.tsx'
import { dateTimeLabel } from '../../../domain/time/date-formats.ts'

/** Number of notifications shown before the list is expanded. */
const FIRST = 3

export function MessagesPanel() {
  const list = useStore($messages)
  const [isAll, setIsAll] = useState(false)
  useEffect(() => void loadMessages(), [])
  const messages = list.state === 'ready' ? list.messages : []
  const visibleMessages = isAll ? messages : messages.slice(0, FIRST)
  return (
    <section className="card overview-panel" aria-labelledby="messages-title" aria-busy={list.state === 'loading'}>
      <header className="panel-head">
        <h3 id="messages-title">Messages</h3>
        {list.state === 'ready' && list.unseen > 0 && <span className="badge badge-primary">{list.unseen} new</span>}
        {messages.length > FIRST && (
          <button
            type="button"
            className="text-action"
            aria-expanded={isAll}
            aria-controls="messages"
            onClick={() => setIsAll(!isAll)}
          >
            {isAll ? 'The newest' : 'All messages'}
          </button>
        )}
      </header>
      {list.state === 'loading' && <RowsSkeleton rows={FIRST} label="Loading your messages" />}
      {list.state === 'failed' && (
        <LoadError
          title="Your messages could not be loaded"
          text={list.failure.text}
          again={() => void loadMessages()}
        />
      )}
      {list.state === 'ready' && messages.length === 0 && (
        <p className="text-small text-ink-2 panel-none">Nothing yet. Bills, renewals and shares are told here.</p>
      )}
      {messages.length > 0 && <Shown messages={visibleMessages} />}
    </section>
  )
}

/** Marks the visible notifications as read. */
function Shown({ messages }: { messages: readonly AccountNotification[] }) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const element = list.current
    if (!element) return
    const seen = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return
      void markSeen(messages)
      seen.disconnect()
    })
    seen.observe(element)
    return () => seen.disconnect()
  }, [messages])
  return (
    <ul id="messages" ref={list}>
      {messages.map((message) => (
        <Row key={message.message_id} message={message} />
      ))}
    </ul>
  )
}

function Row({ message }: { message: AccountNotification }) {
  const { kind, at, seen, title, text, action } = message
  const [now] = useState(Date.now)
  return (
    <li className="list-row message-row" data-new={!seen || undefined}>
      <span className="message-dot" aria-hidden="true" />
      <MessageIcon kind={kind} />
      <span className="row-text">
        <b>
          {!seen && <span className="sr-only">New: </span>}
          {title}
        </b>
        <small>
          {text} · <time dateTime={new Date(at).toISOString()}>{dateTimeLabel(at, now)}</time>
        </small>
      </span>
      {action && (
        <a
          className={seen ? 'text-action' : 'btn btn-soft btn-sm'}
          aria-label={`${action.label}: ${title}`}
          href={action.path}
        >
          {action.label}
        </a>
      )}
    </li>
  )
}
