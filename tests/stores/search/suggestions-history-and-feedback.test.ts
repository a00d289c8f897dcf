// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { $eventTags, DEFAULT_TAGS } from '../../../src/stores/events/event-tags.ts'
import { loadKnownPeople } from '../../../src/stores/events/known-people.ts'
import {
  $givenFeedback,
  sendSearchFeedback,
  withdrawSearchFeedback,
} from '../../../src/stores/search/search-feedback.ts'
import { $videoSearchHistory, clearSearchHistory, deleteSearches } from '../../../src/stores/search/search-history.ts'
import { enrollInSearch } from '../../../src/stores/account/search-enrollment.ts'
import { claimSearchPopup } from '../../../src/stores/search/search-popups.ts'
import {
  $recommendations,
  $suggestions,
  clearSuggestions,
  updateSuggestions,
} from '../../../src/stores/search/search-suggestions.ts'
import { $toast, closeToast } from '../../../src/stores/shell/toasts.ts'
import { stubApiResponses } from '../../support/client.ts'
import { formatFailure } from '../../../src/stores/shell/failure-text.ts'
import { areDistinct } from '../../support/facts.ts'

const NETWORK_ERROR_TEXT = formatFailure({ ok: false, code: 'ERR_NETWORK', msg: '', kind: 'ERR_NETWORK', status: 0 })

const createEntry = (query_id: string, at: number) => ({ query_id, query: query_id, at, found: 1 })
const listEntryIds = () => $videoSearchHistory.get().map(({ query_id }) => query_id)
const deletionResponse = (count: number) => ({ code: 200, data: { deleted: count } })

beforeEach(() => $eventTags.set(DEFAULT_TAGS))
afterEach(() => {
  while ($toast.get()) closeToast()
})

describe('search suggestions', () => {
  afterEach(() => void vi.useRealTimers())

  test('SEARCH-12 CONST-05 appear 200 ms after the last keystroke', () => {
    vi.useFakeTimers()
    $recommendations.set([{ query: 'white van', found: 2 }])
    updateSuggestions('wh')
    vi.advanceTimersByTime(199)
    updateSuggestions('whi')
    vi.advanceTimersByTime(199)
    expect($suggestions.get()).toEqual([])
    vi.advanceTimersByTime(1)
    expect($suggestions.get()).toEqual(['white van'])
    clearSuggestions()
    expect($suggestions.get()).toEqual([])
  })

  test('FACE-03 name the people known to the cameras', async () => {
    vi.useFakeTimers()
    stubApiResponses({
      collection: { code: 200, data: { collections: [{ collection_id: 'c1', name: 'Home' }] } },
      people: { code: 200, data: { people: [{ person_id: 'p1', name: 'Maya', events: 3, last_seen: 1 }] } },
    })
    await loadKnownPeople()
    expect($eventTags.get().friendlyFaces).toEqual({ p1: 'Maya' })
    updateSuggestions('may')
    vi.runAllTimers()
    expect($suggestions.get()).toEqual(['Maya'])
    clearSuggestions()
  })
})

describe('search history', () => {
  beforeEach(() => $videoSearchHistory.set([createEntry('c', 3), createEntry('b', 2), createEntry('a', 1)]))

  test('deletes one search by its own call, several in one call, and all without naming them', async () => {
    const requests = stubApiResponses({ c: deletionResponse(1), batch_delete: deletionResponse(2) })
    await deleteSearches(['c'])
    expect(listEntryIds()).toEqual(['b', 'a'])
    await deleteSearches(['b', 'a'])
    $videoSearchHistory.set([createEntry('d', 4)])
    await clearSearchHistory()
    expect(listEntryIds()).toEqual([])
    expect(requests.map(({ path, body }) => [path.split('/').slice(4).join('/'), body])).toEqual([
      ['search_history/c', {}],
      ['search_history/batch_delete', { query_ids: ['b', 'a'], delete_all: false }],
      ['search_history/batch_delete', { query_ids: [], delete_all: true }],
    ])
  })

  test('restores searches in their order if deletion fails, and a toast says so', async () => {
    stubApiResponses({})
    await deleteSearches(['b'])
    expect(listEntryIds()).toEqual(['c', 'b', 'a'])
    expect($toast.get()?.text).toMatch(/couldn’t delete your searches/)
  })
})

describe('search popups', () => {
  const popupStateResponse = (bits: number) => ({ code: 200, data: { state: bits } })

  test('TAG-08 each appears once, and this is stored locally and reported to the provider', async () => {
    const requests = stubApiResponses({ instruction_state: popupStateResponse(0) })
    expect([await claimSearchPopup('search'), await claimSearchPopup('search')]).toEqual([true, false])
    expect([await claimSearchPopup('prompt'), await claimSearchPopup('prompt')]).toEqual([true, false])
    expect($eventTags.get()).toMatchObject({ videoSearchPopup: true, videoSearchPromptPopup: true })
    expect(requests.flatMap(({ body }) => (body === null ? [] : [body]))).toEqual([{ state: 1 }, { state: 2 }])
  })

  test('a popup that the account has seen elsewhere does not appear', async () => {
    stubApiResponses({ instruction_state: popupStateResponse(2) })
    expect(await claimSearchPopup('prompt')).toBe(false)
    expect(await claimSearchPopup('search')).toBe(true)
  })

  test('no popup appears while it is unknown which ones the account has seen', async () => {
    stubApiResponses({})
    expect(await claimSearchPopup('search')).toBe(false)
    expect($eventTags.get().videoSearchPopup).toBe(false)
  })
})

describe('search result feedback', () => {
  test('is sent with its category and can be undone', async () => {
    const requests = stubApiResponses({
      feedback: { code: 200, data: { feedback_id: 'f1' } },
      'search-feedback-undo': { code: 200, data: {} },
    })
    expect(await sendSearchFeedback('a fox', { categoryId: 'wrong', message: ' a cat ' })).toBeNull()
    expect(requests[0]?.body).toEqual({
      is_search_result_accurate: false,
      feedback_message: 'a cat',
      feedback_category_id: 'wrong',
      query: 'a fox',
    })
    expect($givenFeedback.get()).toEqual({ 'a fox': { id: 'f1', isAccurate: false } })
    await withdrawSearchFeedback('a fox')
    expect(requests[1]?.body).toEqual({ feedback_id: 'f1' })
    expect($givenFeedback.get()).toEqual({})
  })

  test('explains the problem if it cannot be sent', async () => {
    stubApiResponses({})
    expect(await sendSearchFeedback('a dog', null)).toMatchObject({ code: 'ERR_NETWORK', inPlace: false })
    expect(areDistinct([$toast.get()?.text ?? '', NETWORK_ERROR_TEXT])).toBe(true)
    expect($givenFeedback.get()).toEqual({})
  })
})

test('SEARCH-10 a failed enrollment shows one toast with its own wording', async () => {
  stubApiResponses({ register: { code: 500 } })
  await enrollInSearch()
  expect($toast.get()?.text).toBe('Looks like there was a problem while enrolling you. Please try again.')
  closeToast()
  expect($toast.get()).toBeNull()
})
