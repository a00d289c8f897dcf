import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { ActivityEntry } from '../../../contract/account/activity.ts'
import { configureClient } from '../../../src/api/api-client.ts'
import { $activity, $activityGroup, loadActivity, showGroup, showOlder } from '../../../src/stores/account/activity.ts'
import { $sessions, endOthers, endSession, loadSessions } from '../../../src/stores/account/sessions.ts'
import { $toast, closeToast } from '../../../src/stores/shell/toasts.ts'

const entry = (n: number): ActivityEntry => ({
  ...{ id: `180000000000${n}-00000a`, at: 1, until: 1, kind: 'sign-in', who: null, own: true, whom: null, camera: '' },
  ...{ value: '', count: 1, clips: 0, bytes: 0, device: '', address: '' },
})
const page = (entries: ActivityEntry[], next: string | null = null) => ({ code: 200, data: { entries, next } })
const ids = () => {
  const now = $activity.get()
  return now.state === 'ready' ? now.entries.map(({ id }) => id) : now.state
}

/**
 * Answers each request by its query string; a promise in `byQuery` delays the response. Other requests fail with 429.
 * Returns the query strings.
 */
function answers(byQuery: Record<string, unknown>): string[] {
  const queries: string[] = []
  configureClient({
    fetch: (address) => {
      const { search } = new URL(String(address), 'http://localhost')
      queries.push(search)
      const answer = byQuery[search]
      if (answer instanceof Promise) return answer.then((body) => Response.json(body))
      return Promise.resolve(answer ? Response.json(answer) : Response.json({ code: 429 }, { status: 429 }))
    },
    token: () => 'handle',
    xsrf: () => 'xsrf',
    refresh: () => Promise.resolve('over'),
    signedOut: () => undefined,
  })
  return queries
}

beforeEach(() => {
  $activityGroup.set(null)
  $activity.set({ state: 'loading' })
  $sessions.set({ state: 'loading' })
  while ($toast.get()) closeToast()
})

describe('the activity log', () => {
  test('is requested page by page, from the end of the previous one', async () => {
    const second = entry(2)
    const queries = answers({ '': page([entry(3), second], second.id), [`?before=${second.id}`]: page([entry(1)]) })
    await loadActivity()
    await showOlder()
    await showOlder()
    expect(queries).toEqual(['', `?before=${second.id}`])
    expect(ids()).toEqual([entry(3).id, second.id, entry(1).id])
  })

  test('keeps its entries when older ones fail, shows the error in place, and loads them next time', async () => {
    const byQuery: Record<string, unknown> = { '': page([entry(3)], entry(3).id) }
    answers(byQuery)
    await loadActivity()
    await showOlder()
    expect($activity.get()).toMatchObject({ state: 'ready', older: { code: '429', inPlace: true } })
    expect($toast.get()).toBeNull()
    byQuery[`?before=${entry(3).id}`] = page([entry(2)])
    await showOlder()
    expect(ids()).toEqual([entry(3).id, entry(2).id])
  })

  test('shows in place that it could not be loaded', async () => {
    answers({})
    await loadActivity()
    expect($activity.get()).toMatchObject({ state: 'failed', failure: { code: '429', inPlace: true } })
    expect($toast.get()).toBeNull()
  })

  test('shows the kind selected last, whichever response arrives last', async () => {
    const slow = Promise.withResolvers<unknown>()
    answers({ '?group=guests': slow.promise, '?group=exports': page([entry(5)]) })
    const first = showGroup('guests')
    await showGroup('exports')
    slow.resolve(page([entry(1)]))
    await first
    expect(ids()).toEqual([entry(5).id])
  })

  test('shows the newer of two responses for the same kind, whichever arrives last', async () => {
    const slow = Promise.withResolvers<unknown>()
    const byQuery: Record<string, unknown> = { '': slow.promise }
    answers(byQuery)
    const first = loadActivity()
    byQuery[''] = page([entry(5)])
    await loadActivity()
    slow.resolve(page([entry(1)]))
    await first
    expect(ids()).toEqual([entry(5).id])
  })
})

describe('the sessions', () => {
  const session = { id: 'one', device: 'Safari on Mac', started: 1, last_used: 2, ends: 3, current: false }
  const lasts = { idle: 3600, life: 7200 }
  const requests: unknown[] = []
  const edge = (sessions: unknown, ended: unknown) => {
    requests.length = 0
    vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
      const isEnd = path.endsWith('/end')
      if (isEnd) requests.push(JSON.parse(String(init.body)))
      const body = isEnd ? ended : sessions
      return Promise.resolve(Response.json(body, { status: (body as { code: number }).code }))
    })
  }

  test('end one by one or all others, each with a toast, and are requested again', async () => {
    edge({ code: 200, sessions: [session], ...lasts }, { code: 200, ended: 1 })
    await loadSessions()
    expect($sessions.get()).toEqual({ state: 'ready', sessions: [session], ...lasts })
    edge({ code: 200, sessions: [], ...lasts }, { code: 200, ended: 2 })
    expect(await endSession(session)).toBeNull()
    expect($toast.get()?.text).toContain('Safari on Mac')
    expect($sessions.get()).toEqual({ state: 'ready', sessions: [], ...lasts })
    closeToast()
    expect(await endOthers()).toBeNull()
    expect($toast.get()?.text).toBe('2 other sessions have ended.')
    expect(requests).toEqual([{ id: 'one' }, { others: true }])
  })

  test('stay listed if ending them fails, with one toast', async () => {
    edge({ code: 200, sessions: [session], ...lasts }, { code: 429 })
    await loadSessions()
    expect(await endOthers()).toMatchObject({ code: '429', inPlace: false })
    expect($toast.get()?.style).not.toBe('success')
    expect($sessions.get()).toEqual({ state: 'ready', sessions: [session], ...lasts })
  })

  test('show in place that they could not be loaded', async () => {
    edge({ code: 429 }, {})
    await loadSessions()
    expect($sessions.get()).toMatchObject({ state: 'failed', failure: { inPlace: true } })
  })
})
