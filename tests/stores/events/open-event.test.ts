// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  $eventUrl,
  changeFilter,
  closeEvent,
  openEvent,
  setClipStart,
  syncEventUrl,
} from '../../../src/stores/events/event-url.ts'

const getOpenId = () => $eventUrl.get().open?.eventId
let sendRequest: () => void
let stopSync: () => void
beforeEach(() => {
  history.replaceState(null, '', '/events')
  stopSync = syncEventUrl()
  const { promise, resolve } = Promise.withResolvers<void>()
  sendRequest = resolve
  setClipStart((id) => (id === 'stored' ? promise : null))
})
afterEach(() => {
  setClipStart(() => null)
  stopSync()
})

test('CLIP-01 the page renders an opened clip after its request has been sent', async () => {
  openEvent({ eventId: 'stored', deviceId: 'CAM1' })
  expect(location.search).toContain('event=stored')
  expect(getOpenId()).toBeUndefined()
  sendRequest()
  await expect.poll(getOpenId).toBe('stored')
})

test('a double click on an event adds one history entry', async () => {
  const { length } = history
  openEvent({ eventId: 'stored', deviceId: 'CAM1' })
  openEvent({ eventId: 'stored', deviceId: 'CAM1' })
  sendRequest()
  await expect.poll(getOpenId).toBe('stored')
  expect(history).toHaveLength(length + 1)
})

test('an event whose clip does not load early opens immediately', () => {
  openEvent({ eventId: 'uploading', deviceId: 'CAM1' })
  expect(getOpenId()).toBe('uploading')
})

test.each([
  ['another event', () => openEvent({ eventId: 'uploading', deviceId: 'CAM1' }), 'uploading'],
  ['a filter', () => changeFilter({ hour: 3 }), undefined],
  ['the list', () => (history.replaceState(null, '', '/events'), closeEvent()), undefined],
])('the page shows %s if the user chooses it before the request has been sent', async (_, choose, openId) => {
  openEvent({ eventId: 'stored', deviceId: 'CAM1' })
  choose()
  const state = $eventUrl.get()
  sendRequest()
  await Promise.resolve()
  await Promise.resolve()
  expect(getOpenId()).toBe(openId)
  expect($eventUrl.get().filter).toEqual(state.filter)
})
