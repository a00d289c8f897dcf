import { useStore } from '@nanostores/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { AccountNotification } from '../../../../contract/account/notifications.ts'
import { pinFailedCharge } from '../../../domain/copy/account-overview.ts'
import { $notifications, loadNotifications, markAllSeen } from '../../../stores/account/notifications.ts'
import { $subscriptions } from '../../../stores/billing/subscriptions.ts'
import { LoadError } from '../../../ui/LoadError.tsx'
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx'
import { NotificationIcon } from './NotificationIcon.tsx'
import { dateTimeLabel } from '../../../domain/time/date-formats.ts'

const VISIBLE_NOTIFICATIONS = 3
const NO_NOTIFICATIONS: readonly AccountNotification[] = []

export function NotificationsPanel() {
  const list = useStore($notifications)
  const [isExpanded, setIsExpanded] = useState(false)
  useEffect(() => void loadNotifications(), [])
  const subs = useStore($subscriptions, { ssr: 'initial' })
  const isPaymentDue = subs.state === 'ready' && subs.subscriptions.some(({ open }) => open !== null)
  const messages = list.state === 'ready' ? list.messages : NO_NOTIFICATIONS
  const notifications = useMemo(() => pinFailedCharge(messages, isPaymentDue), [messages, isPaymentDue])
  const visibleNotifications = isExpanded ? notifications : notifications.slice(0, VISIBLE_NOTIFICATIONS)
  return (
    <section className="card overview-panel" aria-labelledby="messages-title" aria-busy={list.state === 'loading'}>
      <header className="panel-head">
        <h3 id="messages-title">Notifications</h3>
        {list.state === 'ready' && list.unseen > 0 && <span className="badge badge-primary">{list.unseen} new</span>}
        {notifications.length > VISIBLE_NOTIFICATIONS && (
          <button
            type="button"
            className="text-action"
            aria-expanded={isExpanded}
            aria-controls="messages"
            onClick={() => setIsExpanded(!isExpanded)}
          >
            {isExpanded ? 'Show fewer' : 'Show all'}
          </button>
        )}
      </header>
      {list.state === 'loading' && <RowsSkeleton rows={VISIBLE_NOTIFICATIONS} label="Loading notifications" />}
      {list.state === 'failed' && (
        <LoadError
          title="We couldn’t load your notifications"
          text={list.failure.text}
          onRetry={() => void loadNotifications()}
        />
      )}
      {list.state === 'ready' && notifications.length === 0 && (
        <p className="text-small text-ink-2 panel-none">
          No notifications. You’ll see invoices, renewals, and shared cameras here.
        </p>
      )}
      {notifications.length > 0 && <NotificationList messages={visibleNotifications} />}
    </section>
  )
}

function NotificationList({ messages }: { messages: readonly AccountNotification[] }) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const element = list.current
    if (!element) return
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return
      void markAllSeen(messages)
      observer.disconnect()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [messages])
  return (
    <ul id="messages" ref={list}>
      {messages.map((message) => (
        <NotificationRow key={message.message_id} message={message} />
      ))}
    </ul>
  )
}

function NotificationRow({ message }: { message: AccountNotification }) {
  const { kind, at, seen, title, text, action } = message
  const [now] = useState(Date.now)
  return (
    <li className="list-row message-row" data-new={!seen || undefined}>
      <span className="message-dot" aria-hidden="true" />
      <NotificationIcon kind={kind} />
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
