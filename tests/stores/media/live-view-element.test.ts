import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLiveView } from '../../../src/media/live/live-view-element.ts'

const createView = () => {
  const { container, video } = createLiveView('/m/last/A1')
  const image = container.querySelector('img')
  return { video, image, readSource: () => image?.getAttribute('src') }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  delete window.pictures
  vi.useRealTimers()
})

test('the last picture loads if the video shows no frame soon', () => {
  const { image, readSource } = createView()
  expect(readSource()).toBeNull()
  // Without an address, browsers draw a border around the image.
  expect(image?.hidden).toBe(true)
  vi.runAllTimers()
  expect(readSource()).toBe('/m/last/A1')
  expect(image?.hidden).toBe(false)
})

test('the last picture of a camera that plays soon does not load', () => {
  const { video, readSource } = createView()
  Object.defineProperty(video, 'videoWidth', { value: 640 })
  vi.runAllTimers()
  expect(readSource()).toBeNull()
})

test('a picture that the document has requested shows immediately', () => {
  window.pictures = [Object.assign(new Image(), { src: '/m/last/A1' })]
  expect(createView().readSource()).toBe('/m/last/A1')
})
