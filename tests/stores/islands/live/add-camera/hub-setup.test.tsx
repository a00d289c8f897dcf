// @vitest-environment jsdom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { encodeBytes } from '../../../../../contract/bridge/sealed-channel.ts'
import { EnrollmentCode } from '../../../../../src/islands/live/add-camera/EnrollmentCode.tsx'
import { EncryptionNote } from '../../../../../src/islands/live/add-camera/EncryptionNote.tsx'
import { useWakeLock } from '../../../../../src/islands/live/wall/use-wall-screen.ts'
import { fetchSealingKey } from '../../../../../src/stores/add-camera/sealing-key.ts'
import { $enrollmentCode } from '../../../../../src/stores/add-camera/enrollment-code.ts'
import { stubApiResponses } from '../../../../support/client.ts'
import { WAIT_OPTIONS } from '../../../../support/patience.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const container = document.createElement('div')
let root: Root
const runInAct = (does: () => unknown) => act(async () => void (await does()))
const findButton = (name: string) =>
  [...container.querySelectorAll('button')].find((element) => element.textContent === name)

beforeEach(() => {
  root = createRoot(container)
})
afterEach(() => {
  act(() => root.unmount())
  vi.unstubAllGlobals()
})

async function createPublicKey(): Promise<string> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
  return encodeBytes(new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)))
}

const buildKeyResponse = (key: string) => ({
  code: 200,
  data: {
    state: 'open',
    bridge_id: 'b1',
    home_id: 'h1',
    name: 'Study',
    key,
    nonce: 'n'.repeat(22),
  },
})

test('a hub that shows another fingerprint receives nothing until the user has compared it', async () => {
  const answers: Record<string, unknown> = { 'camera-door': buildKeyResponse(await createPublicKey()) }
  stubApiResponses(answers)
  expect(await fetchSealingKey()).toMatchObject({ home_id: 'h1' })
  answers['camera-door'] = buildKeyResponse(await createPublicKey())
  expect(await fetchSealingKey()).toBeNull()
  await runInAct(() => root.render(<EncryptionNote />))
  expect(container.textContent).toMatch(/(?:[0-9A-F]{4} ){3}[0-9A-F]{4}/)
  await runInAct(() => findButton('Confirm the codes match')?.click())
  await runInAct(() => vi.waitFor(() => expect(findButton('Confirm the codes match')).toBeUndefined(), WAIT_OPTIONS))
  await runInAct(async () => expect(await fetchSealingKey()).toMatchObject({ home_id: 'h1' }))
})

test('a home without a hub shows an enrollment code that expires after ten minutes and is renewable', async () => {
  vi.useFakeTimers({ now: 1_000_000 })
  const answers: Record<string, unknown> = {
    'bridge-code': { code: 200, data: { code: 'ABCD-EFGH', expires_at: 1_600_000 } },
  }
  const requests = stubApiResponses(answers)
  $enrollmentCode.set({ state: 'none' })
  await runInAct(() => root.render(<EnrollmentCode />))
  await runInAct(() => vi.advanceTimersByTimeAsync(0))
  expect(requests).toHaveLength(1)
  expect(container.querySelector('code')?.textContent).toBe('ABCD-EFGH')
  await runInAct(() => vi.advanceTimersByTimeAsync(599_000))
  expect(container.textContent).toContain('Expires in 0:01')
  await runInAct(() => vi.advanceTimersByTimeAsync(1000))
  expect([container.querySelector('[data-over="true"]') === null, /\d:\d\d/.test(container.textContent)]).toEqual([
    false,
    false,
  ])
  await runInAct(() => findButton('Get new code')?.click())
  await runInAct(() => vi.advanceTimersByTimeAsync(0))
  expect([requests.length, container.textContent]).toEqual([2, expect.stringContaining('Expires in 10:00')])
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
  await runInAct(() => root.render(<Probe />))
  expect(container.textContent).toBe('kept')
  // A browser releases the wake lock when the page is hidden.
  await runInAct(() => void locks[0]?.dispatchEvent(new Event('release')))
  expect(container.textContent).toBe('not kept')
  await runInAct(() => document.dispatchEvent(new Event('visibilitychange')))
  expect([request.mock.calls.length, container.textContent]).toEqual([2, 'kept'])
  await runInAct(() => root.render(null))
  expect(released).toHaveBeenCalledOnce()
})
