import { beforeEach, describe, expect, test, vi } from 'vitest'
import { loggedEntries } from '../../../../src/stores/shell/action-log.ts'
import { clearUserScoped } from '../../../../src/stores/storage/safe-storage.ts'

const exchange = (url: string, status = 200) => ({ at: Date.now(), method: 'GET', url, status, ms: 5 })
const leave = () => dispatchEvent(new Event('pagehide'))
const urls = () => loggedEntries().map(({ url }) => url)

async function page() {
  vi.resetModules()
  const { recordRequest: noteRequest } = await import('../../../../src/boot/telemetry/request-buffer.ts')
  const { recordKnown } = await import('../../../../src/boot/telemetry/record-signed-in-requests.ts')
  return { noteRequest, recordKnown, record: () => import('../../../../src/boot/telemetry/record-requests.ts') }
}

describe('action log of a page', () => {
  beforeEach(() => {
    localStorage.clear()
  })

  test('OPEN-137 includes requests that were sent before the recorder loaded', async () => {
    localStorage.setItem('userId', 'u_1')
    const { noteRequest, record } = await page()
    noteRequest(exchange('/api/auth/me'))
    await record()
    noteRequest(exchange('/api/p/new-device/app/v4/home', 503))
    leave()
    expect(urls()).toEqual(['/api/auth/me', '/api/p/new-device/app/v4/home'])
  })

  test('OPEN-137 OPEN-114 records nothing after another tab has signed out', async () => {
    localStorage.setItem('userId', 'u_1')
    const { noteRequest, record } = await page()
    await record()
    noteRequest(exchange('/api/p/new-device/app/v4/home'))
    clearUserScoped()
    leave()
    expect(Object.keys(localStorage)).toEqual([])
  })

  test('OPEN-137 records without a session only for a user who is still known', async () => {
    const stranger = await page()
    stranger.noteRequest(exchange('/api/auth/me'))
    stranger.recordKnown()
    await vi.dynamicImportSettled()
    leave()
    expect(Object.keys(localStorage)).toEqual([])

    localStorage.setItem('userId', 'u_1')
    const identifiedPage = await page()
    identifiedPage.noteRequest(exchange('/api/auth/me'))
    identifiedPage.recordKnown()
    await vi.dynamicImportSettled()
    leave()
    expect(urls()).toEqual(['/api/auth/me'])
  })
})
