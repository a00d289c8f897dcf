import { afterEach, expect, test } from 'vitest'
import { discover } from '../../bridge/discovery/discover.ts'
import { cameraClock } from '../../bridge/discovery/onvif.ts'
import type { User } from '../../bridge/discovery/soap.ts'
import { OnvifCamera, type OnvifOptions } from '../support/onvif-camera.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function camera(options: OnvifOptions = {}): Promise<OnvifCamera> {
  const started = await OnvifCamera.start(options)
  ends.push(() => started.close())
  return started
}

/** What is printed about the network in which only this camera is. */
async function look(at: OnvifCamera, user?: User): Promise<string[]> {
  const lines: string[] = []
  expect(await discover(user, (line) => void lines.push(line), { to: at.probed, waitMs: 300 })).toBe(1)
  return lines
}

const user = { name: 'm<e', password: 'secret-word' }
const STREAMS = ['    rtsp://127.0.0.1:554/live?a=1&sub=0', '    rtsp://127.0.0.1:554/live?a=1&sub=1']

test('a camera that answers is named with its addresses, the large picture first, and what to type', async () => {
  const lines = await look(await camera())
  expect(lines[0]).toBe('Front Door at 127.0.0.1')
  expect(lines[1]).toContain('node bridge/main.ts add-camera - --data DIR --name "Front Door"')
  expect(lines.slice(3)).toEqual(STREAMS)
})

test('a camera that wants a user says how to give it', async () => {
  expect((await look(await camera({ user })))[1]).toMatch(/to its users only: node bridge\/main\.ts discover - reads/)
})

test('with its user it tells its addresses, whatever its clock says, and the password itself is never sent', async () => {
  const found = await camera({ user: { name: 'm&lt;e', password: user.password }, clockOff: -3_600_000 })
  expect((await look(found, user)).slice(3)).toEqual(STREAMS)
  expect(found.asked.length).toBeGreaterThan(3)
  expect(found.asked.join()).not.toContain(user.password)
})

test('a wrong password is said', async () => {
  expect((await look(await camera({ user }), { ...user, password: 'other' }))[1]).toMatch(
    /refuses this user or password/,
  )
})

test('where nobody answers it says that an address always works', async () => {
  const gone = await OnvifCamera.start()
  const { probed } = gone
  await gone.close()
  const lines: string[] = []
  expect(await discover(undefined, (line) => void lines.push(line), { to: probed, waitMs: 100 })).toBe(0)
  expect(lines).toEqual([expect.stringMatching(/^No camera answered\. .*An address always works/)])
})

test('the clock of a camera is read by ONVIF, and is unknown where there is none', async () => {
  const { service } = await camera({ clockOff: 7_200_000 })
  const off = ((await cameraClock('127.0.0.1', service))?.getTime() ?? 0) - Date.now()
  expect(Math.abs(off - 7_200_000)).toBeLessThan(3000)
  expect(await cameraClock('127.0.0.1', 'http://127.0.0.1:1/')).toBeUndefined()
})
