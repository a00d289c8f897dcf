// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { $feedBack, $feedbackSwitch } from '../../../src/stores/events/event-feedback.ts'
import {
  $eventTags,
  listSelectedTagIds,
  DEFAULT_TAGS,
  syncStoredTags,
  storeKnownPeople,
  returnToPreviousRoute,
  storePreviousRoute,
  loadEventTags,
  getReturnRoute,
} from '../../../src/stores/events/event-tags.ts'
import { changeFilter, syncEventUrl } from '../../../src/stores/events/event-url.ts'
import { stubApiResponses } from '../../support/client.ts'
import { STORAGE_KEYS } from '../../../src/stores/storage/storage-keys.ts'

const readStoredTags = () =>
  JSON.parse(localStorage.getItem(STORAGE_KEYS.eventTags) ?? 'null') as typeof DEFAULT_TAGS | null

beforeEach(() => {
  history.replaceState(null, '', '/events')
  $eventTags.set(DEFAULT_TAGS)
})

describe('event tags', () => {
  test('TAG-02 the default list holds items with id, name, icon and clicked', () => {
    for (const tag of DEFAULT_TAGS.tags)
      expect(tag).toEqual({
        id: expect.any(String),
        name: expect.any(String),
        icon: expect.any(String),
        clicked: false,
      })
  })

  test('TAG-03 the default tags are Automation, id 11, and Face, id 12', () => {
    expect($eventTags.get().tags.map(({ id, name }) => [id, name])).toEqual([
      ['11', 'Automation'],
      ['12', 'Face'],
    ])
  })

  test('TAG-06 a friendly-face map is stored with the tags', () => {
    storeKnownPeople({ p1: 'Maya' })
    expect(readStoredTags()?.friendlyFaces).toEqual({ p1: 'Maya' })
    expect(readStoredTags()?.tags).toEqual(DEFAULT_TAGS.tags)
  })

  test('STORE-20 the face list holds the people of the home, whatever tags the provider sends', async () => {
    const stop = [syncEventUrl(), syncStoredTags()]
    stubApiResponses({
      'get-event-tags': { code: 200, data: [{ id: '101', name: 'Person', kind: 'motion', icon: 'user' }] },
    })
    storeKnownPeople({ p1: 'Maya', p2: 'Noah' })
    changeFilter({ people: ['Noah'] })
    await loadEventTags()
    expect(readStoredTags()?.motion.map(({ id }) => id)).toEqual(['101'])
    expect(readStoredTags()?.face.map(({ id, name, clicked }) => [id, name, clicked])).toEqual([
      ['p1', 'Maya', false],
      ['p2', 'Noah', true],
    ])
    stop.forEach((end) => end())
    history.replaceState(null, '', '/events')
    const again = [syncEventUrl(), syncStoredTags()]
    expect(location.search).toBe('?person=Noah')
    changeFilter({ people: [] })
    again.forEach((end) => end())
  })

  test('TAG-09 the previous portal page is stored with the tags', () => {
    storePreviousRoute(`${location.origin}/live?camera=CAM1`)
    expect(readStoredTags()?.previousRoute).toBe('/live?camera=CAM1')
    storePreviousRoute('https://elsewhere.example/live')
    storePreviousRoute('')
    storePreviousRoute(`${location.origin}/user/callback?redirect_uri=%2Fevents`)
    expect(readStoredTags()?.previousRoute).toBe('/live?camera=CAM1')
  })

  describe('OPEN-140 back navigation', () => {
    const live = `${location.origin}/live?camera=CAM1`
    const arriveFrom = (referrer: string) => {
      vi.spyOn(document, 'referrer', 'get').mockReturnValue(referrer)
      storePreviousRoute(referrer)
    }
    afterEach(() => vi.restoreAllMocks())

    test('leads to the page whose link opened a clip or the search', () => {
      arriveFrom(live)
      history.replaceState(null, '', '/events?event=e1')
      expect(getReturnRoute()).toBe('/live?camera=CAM1')
      history.replaceState({ pushed: true, steps: 0 }, '', '/events?search=a+dog')
      expect(getReturnRoute()).toBe('/live?camera=CAM1')
    })

    test.each([
      ['opened on this page', live, { pushed: true }],
      ['opened by a link of a page of the sign-in flow', `${location.origin}/user/callback`, null],
      ['opened by a link of another site', 'https://elsewhere.example/live', null],
      ['opened by a bookmark', '', null],
    ])('leads to the list for a clip that was %s', (_, referrer, state) => {
      storePreviousRoute(live)
      arriveFrom(referrer)
      history.replaceState(state, '', '/events?event=e1')
      const close = vi.fn()
      returnToPreviousRoute(close)
      expect([getReturnRoute(), close.mock.calls.length]).toEqual(['', 1])
    })
  })

  test('stores the selection and restores it if the URL has none', () => {
    let stops = [syncEventUrl(), syncStoredTags()]
    changeFilter({ tags: ['800002'] })
    expect(
      readStoredTags()
        ?.sound.filter(({ clicked }) => clicked)
        .map(({ id }) => id),
    ).toEqual(['800002'])
    stops.forEach((stop) => stop())
    history.replaceState(null, '', '/events')
    stops = [syncEventUrl(), syncStoredTags()]
    expect(location.search).toContain('tags=800002')
    changeFilter({ tags: [] })
    expect(listSelectedTagIds()).toEqual([])
    stops.forEach((stop) => stop())
  })

  test('leaves a link unchanged', () => {
    $eventTags.set({ ...DEFAULT_TAGS, sound: DEFAULT_TAGS.sound.map((tag) => ({ ...tag, clicked: true })) })
    history.replaceState(null, '', '/events?days=60')
    const stops = [syncEventUrl(), syncStoredTags()]
    expect(location.search).toBe('?days=60')
    stops.forEach((stop) => stop())
  })

  test('STORE-20 still reads tags stored before popups existed', () => {
    const { videoSearchPopup: _, videoSearchPromptPopup: __, ...older } = DEFAULT_TAGS
    const newValue = JSON.stringify({ ...older, previousRoute: '/live' })
    localStorage.setItem(STORAGE_KEYS.eventTags, newValue)
    window.dispatchEvent(new StorageEvent('storage', { key: STORAGE_KEYS.eventTags, newValue }))
    expect($eventTags.get().previousRoute).toBe('/live')
  })

  test('treats unreadable stored tags as missing', () => {
    localStorage.setItem(STORAGE_KEYS.eventTags, '{"tags":[{"id":"nonsense"}]}')
    window.dispatchEvent(
      new StorageEvent('storage', { key: STORAGE_KEYS.eventTags, newValue: '{"tags":[{"id":"nonsense"}]}' }),
    )
    expect($eventTags.get()).toEqual(DEFAULT_TAGS)
  })
})

describe('feedback', () => {
  test('FEEDBACK-01 feedBack is stored and is false at first', () => {
    expect($feedBack.get()).toBe(false)
    $feedBack.set(true)
    expect(localStorage.getItem('feedBack')).toBeTruthy()
  })

  test('FEEDBACK-02 feedbackSwitch is stored and is true at first', () => {
    expect($feedbackSwitch.get()).toBe(true)
    $feedbackSwitch.set(false)
    expect(localStorage.getItem('feedbackSwitch')).not.toBeNull()
    expect($feedbackSwitch.get()).toBe(false)
  })
})
