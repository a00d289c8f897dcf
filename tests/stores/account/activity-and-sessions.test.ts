import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { ActivityEntry } from '../../../contract/account/activity.ts'
import { configureClient } from '../../../src/api/api-client.ts'
import {
  $activity,
  $activityGroup,
  loadActivity,
  selectActivityGroup,
  loadOlderActivity,
} from '../../../src/stores/account/activity.ts'
import { $sessions, endOtherSessions, endSession, loadSessions } from '../../../src/stores/account/sessions.ts'
import { $toast, closeToast } from '../../../src/stores/shell/toasts.ts'

const buildEntry = (n: number): ActivityEntry => ({
  id: `180000000000${n}-00000a`,
  at: 1,
  until: 1,
  kind: 'sign-in',
  who: null,
  own: true,
  whom: null,
  camera: '',
  value: '',
  count: 1,
  clips: 0,
  bytes: 0,
  device: '',
  address: '',
})
const buildPage = (entries: ActivityEntry[], next: string | null = null) => ({ code: 200, data: { entries, next } })
const listShownIds = () => {
  const now = $activity.get()
  return now.state === 'ready' ? now.entries.map(({ id }) => id) : now.state
}

/**
 * Responds to each request with the entry of `byQuery` for its query string. A promise as the entry delays the
 * response. A request without an entry fails with 429. Returns the query strings of all requests.
 */
function answerByQuery(byQuery: Record<string, unknown>): string[] {
  const queries: string[] = []
  configureClient({
    fetch: (url) => {
      const { search } = new URL(String(url), 'http://localhost')
      queries.push(search)
      const answer = byQuery[search]
      if (answer instanceof Promise) return answer.then((body) => Response.json(body))
      return Promise.resolve(answer ? Response.json(answer) : Response.json({ code: 429 }, { status: 429 }))
    },
    token: () => 'handle',
    xsrf: () => 'xsrf',
    refresh: () => Promise.resolve('over'),
    onSignedOut: () => undefined,
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
    const second = buildEntry(2)
    const queries = answerByQuery({
      '': buildPage([buildEntry(3), second], second.id),
      [`?before=${second.id}`]: buildPage([buildEntry(1)]),
    })
    await loadActivity()
    await loadOlderActivity()
    await loadOlderActivity()
    expect(queries).toEqual(['', `?before=${second.id}`])
    expect(listShownIds()).toEqual([buildEntry(3).id, second.id, buildEntry(1).id])
  })

  test('keeps its entries when older ones fail, shows the error in place, and loads them next time', async () => {
    const byQuery: Record<string, unknown> = { '': buildPage([buildEntry(3)], buildEntry(3).id) }
    answerByQuery(byQuery)
    await loadActivity()
    await loadOlderActivity()
    expect($activity.get()).toMatchObject({ state: 'ready', older: { code: '429', inPlace: true } })
    expect($toast.get()).toBeNull()
    byQuery[`?before=${buildEntry(3).id}`] = buildPage([buildEntry(2)])
    await loadOlderActivity()
    expect(listShownIds()).toEqual([buildEntry(3).id, buildEntry(2).id])
  })

  test('shows in place that it could not be loaded', async () => {
    answerByQuery({})
    await loadActivity()
    expect($activity.get()).toMatchObject({ state: 'failed', failure: { code: '429', inPlace: true } })
    expect($toast.get()).toBeNull()
  })

  test('shows the kind selected last, whichever response arrives last', async () => {
    const slow = Promise.withResolvers<unknown>()
    answerByQuery({ '?group=guests': slow.promise, '?group=exports': buildPage([buildEntry(5)]) })
    const first = selectActivityGroup('guests')
    await selectActivityGroup('exports')
    slow.resolve(buildPage([buildEntry(1)]))
    await first
    expect(listShownIds()).toEqual([buildEntry(5).id])
  })

  test('shows the newer of two responses for the same kind, whichever arrives last', async () => {
    const slow = Promise.withResolvers<unknown>()
    const byQuery: Record<string, unknown> = { '': slow.promise }
    answerByQuery(byQuery)
    const first = loadActivity()
    byQuery[''] = buildPage([buildEntry(5)])
    await loadActivity()
    slow.resolve(buildPage([buildEntry(1)]))
    await first
    expect(listShownIds()).toEqual([buildEntry(5).id])
  })
})

describe('the sessions', () => {
  const session = { id: 'one', device: 'Safari on Mac', started: 1, last_used: 2, ends: 3, current: false }
  const lifetimes = { idle: 3600, life: 7200 }
  const requests: unknown[] = []
  const stubEdge = (sessions: unknown, ended: unknown) => {
    requests.length = 0
    vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
      const isEnd = path.endsWith('/end')
      if (isEnd) requests.push(JSON.parse(String(init.body)))
      const body = isEnd ? ended : sessions
      return Promise.resolve(Response.json(body, { status: (body as { code: number }).code }))
    })
  }

  test('end one by one or all others, each with a toast, and are requested again', async () => {
    stubEdge({ code: 200, sessions: [session], ...lifetimes }, { code: 200, ended: 1 })
    await loadSessions()
    expect($sessions.get()).toEqual({ state: 'ready', sessions: [session], ...lifetimes })
    stubEdge({ code: 200, sessions: [], ...lifetimes }, { code: 200, ended: 2 })
    expect(await endSession(session)).toBeNull()
    expect($toast.get()?.text).toContain('Safari on Mac')
    expect($sessions.get()).toEqual({ state: 'ready', sessions: [], ...lifetimes })
    closeToast()
    expect(await endOtherSessions()).toBeNull()
    expect($toast.get()?.text).toBe('2 other devices were logged out.')
    expect(requests).toEqual([{ id: 'one' }, { others: true }])
  })

  test('stay listed if ending them fails, with one toast', async () => {
    stubEdge({ code: 200, sessions: [session], ...lifetimes }, { code: 429 })
    await loadSessions()
    expect(await endOtherSessions()).toMatchObject({ code: '429', inPlace: false })
    expect($toast.get()?.style).not.toBe('success')
    expect($sessions.get()).toEqual({ state: 'ready', sessions: [session], ...lifetimes })
  })

  test('show in place that they could not be loaded', async () => {
    stubEdge({ code: 429 }, {})
    await loadSessions()
    expect($sessions.get()).toMatchObject({ state: 'failed', failure: { inPlace: true } })
  })
})
