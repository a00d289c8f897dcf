// @vitest-environment jsdom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { encodeBytes } from '../../../../../contract/bridge/sealed-channel.ts'
import { EnrollmentCode } from '../../../../../src/islands/live/add-camera/EnrollmentCode.tsx'
import { SealNote } from '../../../../../src/islands/live/add-camera/EncryptionNote.tsx'
import { useWakeLock } from '../../../../../src/islands/live/wall/use-wall-screen.ts'
import { fetchSealingKey } from '../../../../../src/stores/add-camera/sealing-key.ts'
import { $enrolCode } from '../../../../../src/stores/add-camera/enrollment-code.ts'
import { answerWith } from '../../../../support/client.ts'
import { patience } from '../../../../support/patience.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const place = document.createElement('div')
let root: Root
const acted = (does: () => unknown) => act(async () => void (await does()))
const button = (name: string) => [...place.querySelectorAll('button')].find((element) => element.textContent === name)

beforeEach(() => {
  root = createRoot(place)
})
afterEach(() => {
  act(() => root.unmount())
  vi.unstubAllGlobals()
})

async function newKey(): Promise<string> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
  return encodeBytes(new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)))
}

const buildKeyResponse = (key: string) => ({
  code: 200,
  data: {
    ...{ state: 'open', bridge_id: 'b1', home_id: 'h1', name: 'Study' },
    ...{ key, nonce: 'n'.repeat(22) },
  },
})

test('a hub that shows another fingerprint receives nothing until the user has compared it', async () => {
  const answers: Record<string, unknown> = { 'camera-door': buildKeyResponse(await newKey()) }
  answerWith(answers)
  expect(await fetchSealingKey()).toMatchObject({ home_id: 'h1' })
  answers['camera-door'] = buildKeyResponse(await newKey())
  expect(await fetchSealingKey()).toBeNull()
  await acted(() => root.render(<SealNote />))
  expect(place.textContent).toMatch(/(?:[0-9A-F]{4} ){3}[0-9A-F]{4}/)
  await acted(() => button('Both are the same')?.click())
  await acted(() => vi.waitFor(() => expect(button('Both are the same')).toBeUndefined(), patience))
  await acted(async () => expect(await fetchSealingKey()).toMatchObject({ home_id: 'h1' }))
})

test('a home without a hub shows an enrollment code that expires after ten minutes and is renewable', async () => {
  vi.useFakeTimers({ now: 1_000_000 })
  const answers: Record<string, unknown> = {
    'bridge-code': { code: 200, data: { code: 'ABCD-EFGH', expires_at: 1_600_000 } },
  }
  const requests = answerWith(answers)
  $enrolCode.set({ state: 'none' })
  await acted(() => root.render(<EnrollmentCode />))
  await acted(() => vi.advanceTimersByTimeAsync(0))
  expect(requests).toHaveLength(1)
  expect(place.querySelector('code')?.textContent).toBe('ABCD-EFGH')
  await acted(() => vi.advanceTimersByTimeAsync(599_000))
  expect(place.textContent).toContain('good for 0:01')
  await acted(() => vi.advanceTimersByTimeAsync(1000))
  expect([place.querySelector('[data-over="true"]') === null, /\d:\d\d/.test(place.textContent)]).toEqual([
    false,
    false,
  ])
  await acted(() => button('New code')?.click())
  await acted(() => vi.advanceTimersByTimeAsync(0))
  expect([requests.length, place.textContent]).toEqual([2, expect.stringContaining('good for 10:00')])
  vi.useRealTimers()
})

test('wall mode keeps the screen on while visible, and says so only if the browser does', async () => {
  const locks: EventTarget[] = []
  const released = vi.fn()
  const request = vi.fn(() => {
    const lock = Object.assign(new EventTarget(), { release: released })
    locks.push(lock)
    return Promise.resolve(lock)
  })
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator) as object, { wakeLock: { request } }))
  const Probe = () => (useWakeLock() ? 'kept' : 'not kept')
  await acted(() => root.render(<Probe />))
  expect(place.textContent).toBe('kept')
  // The browser releases the wake lock when another page is visible.
  await acted(() => void locks[0]?.dispatchEvent(new Event('release')))
  expect(place.textContent).toBe('not kept')
  await acted(() => document.dispatchEvent(new Event('visibilitychange')))
  expect([request.mock.calls.length, place.textContent]).toEqual([2, 'kept'])
  await acted(() => root.render(null))
  expect(released).toHaveBeenCalledOnce()
})
