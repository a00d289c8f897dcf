import { beforeEach, expect, test } from 'vitest'
import type { AccountNotification } from '../../../contract/account/notifications.ts'
import { $notifications, loadNotifications, markAllSeen } from '../../../src/stores/account/notifications.ts'
import { $toast, closeToast } from '../../../src/stores/shell/toasts.ts'
import { stubApiResponses } from '../../support/client.ts'

const buildNotification = (id: string, seen: boolean): AccountNotification => ({
  message_id: id,
  kind: 'bill',
  at: 1,
  seen,
  title: 'Bill for November',
  text: 'Paid.',
  action: null,
})

beforeEach(() => {
  $notifications.set({ state: 'loading' })
  while ($toast.get()) closeToast()
})

test('notifications are listed as received and marked as read once, but still look new', async () => {
  const messages = [buildNotification('one', false), buildNotification('two', true)]
  const requests = stubApiResponses({
    messages: { code: 200, data: { messages, unseen: 1 } },
    'see-messages': { code: 200, data: { unseen: 0 } },
  })
  await loadNotifications()
  await markAllSeen(messages)
  await markAllSeen(messages)
  expect($notifications.get()).toMatchObject({ state: 'ready', unseen: 1 })
  expect(requests.filter(({ path }) => path.endsWith('see-messages')).map(({ body }) => body)).toEqual([
    expect.objectContaining({ message_ids: ['one'] }),
  ])
})

test('notifications that could not be marked as read are marked the next time, without an error message', async () => {
  const messages = [buildNotification('three', false)]
  stubApiResponses({ 'see-messages': { code: 500 } })
  await markAllSeen(messages)
  expect($toast.get()).toBeNull()
  const laterRequests = stubApiResponses({ 'see-messages': { code: 200, data: { unseen: 0 } } })
  await markAllSeen(messages)
  expect(laterRequests).toHaveLength(1)
})

test('notifications that cannot be loaded show the error in place', async () => {
  stubApiResponses({ messages: { code: 429 } })
  await loadNotifications()
  expect($notifications.get()).toMatchObject({ state: 'failed', failure: { code: '429', inPlace: true } })
  expect($toast.get()).toBeNull()
})
