import { beforeEach, expect, test } from 'vitest'
import type { AccountNotification } from '../../../contract/account/notifications.ts'
import { $messages, loadMessages, markSeen } from '../../../src/stores/account/notifications.ts'
import { $toast, closeToast } from '../../../src/stores/shell/toasts.ts'
import { answerWith } from '../../support/client.ts'

const message = (id: string, seen: boolean): AccountNotification => ({
  ...{ message_id: id, kind: 'bill', at: 1, seen, title: 'Bill for November', text: 'Paid.', action: null },
})

beforeEach(() => {
  $messages.set({ state: 'loading' })
  while ($toast.get()) closeToast()
})

test('notifications are listed as received and marked as read once, but still look new', async () => {
  const messages = [message('one', false), message('two', true)]
  const requests = answerWith({
    messages: { code: 200, data: { messages, unseen: 1 } },
    'see-messages': { code: 200, data: { unseen: 0 } },
  })
  await loadMessages()
  await markSeen(messages)
  await markSeen(messages)
  expect($messages.get()).toMatchObject({ state: 'ready', unseen: 1 })
  expect(requests.filter(({ path }) => path.endsWith('see-messages')).map(({ body }) => body)).toEqual([
    expect.objectContaining({ message_ids: ['one'] }),
  ])
})

test('notifications that could not be marked as read are marked the next time, without an error message', async () => {
  const messages = [message('three', false)]
  answerWith({ 'see-messages': { code: 500 } })
  await markSeen(messages)
  expect($toast.get()).toBeNull()
  const laterRequests = answerWith({ 'see-messages': { code: 200, data: { unseen: 0 } } })
  await markSeen(messages)
  expect(laterRequests).toHaveLength(1)
})

test('notifications that cannot be loaded show the error in place', async () => {
  answerWith({ messages: { code: 429 } })
  await loadMessages()
  expect($messages.get()).toMatchObject({ state: 'failed', failure: { code: '429', inPlace: true } })
  expect($toast.get()).toBeNull()
})
