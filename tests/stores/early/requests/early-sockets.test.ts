import { expect, test } from 'vitest'
import { LIVE_EARLY_REQUESTS } from '../../../../src/early/requests/live.ts'
import { runInlineScript, SIGNED_IN_COOKIES } from '../../../support/first-document.ts'

test('closes unclaimed early sockets, and one that is still connecting only once it has connected', async () => {
  const ids = ['a', 'b', 'c'].map((device_id) => ({ device_id }))
  const streams = () =>
    Response.json({ code: 200, data: { streams: ids.map(({ device_id }) => ({ signalling_url: device_id })) } })
  const storage = { web_app_token: '1.handle', home_id: 'h-known', 'user-cameras': JSON.stringify(ids) }
  const { timerTasks, window } = await runInlineScript(LIVE_EARLY_REQUESTS, SIGNED_IN_COOKIES, storage, {
    'get-streams': streams,
  })
  const sockets = [...(window.earlySockets?.values() ?? [])].map(({ socket }) => socket)
  const [claimed, idle, connecting] = sockets
  window.earlySockets?.delete('a&checks=1&relay=1')
  if (claimed && idle) claimed.readyState = idle.readyState = WebSocket.OPEN
  for (const task of timerTasks) task()
  expect(sockets.map(({ closeCount }) => closeCount)).toEqual([0, 1, 0])
  connecting?.onopen?.()
  expect(sockets.map(({ closeCount }) => closeCount)).toEqual([0, 1, 1])
})
