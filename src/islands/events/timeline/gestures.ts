import type { Event as HomeEvent } from '../../../../contract/events/events.ts'
import { openEvent } from '../../../stores/events/event-url.ts'
import { panTimeline, zoomTimeline } from '../../../stores/events/timeline.ts'
import { $timelineCursor } from '../../../stores/events/timeline-cursor.ts'
import { isPressed } from '../../../ui/pointer-state.ts'
import { createCursorAtX, type CameraStrip } from './camera-strips.ts'

const MAX_CLICK_MOVE_PX = 4
const WHEEL_ZOOM_BASE = 1.0015

export const openClip = (event: HomeEvent): void => openEvent({ eventId: event.event_id, deviceId: event.device_id })

/**
 * Pointer gestures on the strips in `element`. Hover and drag move the cursor. The end of a drag opens the event at the
 * cursor, and a click on a tick opens the event of the tick. Pinch and wheel zoom. A horizontal wheel movement, or the
 * wheel with Shift, pans. Escape ends a drag.
 */
export class TimelineGestures {
  readonly #element: HTMLElement
  readonly #findCameraStrip: (deviceId: string) => CameraStrip | undefined
  /** X position of each pressed pointer by pointer id, CSS pixels. */
  readonly #pointerXs = new Map<number, number>()
  #heldStrip: HTMLElement | null = null
  #pressX = 0
  #hasMoved = false

  constructor(element: HTMLElement, findCameraStrip: (deviceId: string) => CameraStrip | undefined) {
    this.#element = element
    this.#findCameraStrip = findCameraStrip
  }

  /** Adds the listeners; returns a function that removes them. */
  start(): () => void {
    const listeners = new AbortController()
    const { signal } = listeners
    const element = this.#element
    element.addEventListener('pointerdown', this.#onPointerDown, { signal })
    element.addEventListener('pointermove', this.#onPointerMove, { signal })
    element.addEventListener('pointerup', this.#onPointerUp, { signal })
    element.addEventListener('pointercancel', this.#onPointerCancel, { signal })
    element.addEventListener('lostpointercapture', this.#onPointerCancel, { signal })
    element.addEventListener('pointerleave', this.#onPointerLeave, { signal })
    element.addEventListener('wheel', this.#onWheel, { signal, passive: false })
    document.addEventListener('keydown', this.#onKeyDown, { signal, capture: true })
    return () => listeners.abort()
  }

  readonly #onPointerDown = (pointer: PointerEvent): void => {
    if (pointer.button !== 0) return
    this.#pointerXs.set(pointer.pointerId, pointer.clientX)
    const strip = findStrip(pointer)
    if (this.#pointerXs.size > 1 || !strip) return this.#endDrag()
    this.#heldStrip = strip
    this.#pressX = pointer.clientX
    this.#hasMoved = false
    this.#element.setPointerCapture(pointer.pointerId)
    this.#moveCursorTo(strip, pointer.clientX)
  }

  readonly #onPointerMove = (pointer: PointerEvent): void => {
    // No button is pressed: the page missed the release over a system menu or another window.
    if (!isPressed(pointer)) this.#onPointerCancel(pointer)
    const before = this.#pointerXs.get(pointer.pointerId)
    if (before !== undefined && this.#pointerXs.size === 2) return this.#applyPinch(pointer)
    if (before !== undefined) this.#pointerXs.set(pointer.pointerId, pointer.clientX)
    if (this.#heldStrip && Math.abs(pointer.clientX - this.#pressX) > MAX_CLICK_MOVE_PX) this.#hasMoved = true
    const strip = this.#heldStrip ?? (before === undefined ? findStrip(pointer) : null)
    if (strip) this.#moveCursorTo(strip, pointer.clientX)
    else if (before === undefined) $timelineCursor.set(null)
  }

  readonly #onPointerUp = (pointer: PointerEvent): void => {
    this.#pointerXs.delete(pointer.pointerId)
    const cursor = this.#heldStrip ? $timelineCursor.get() : null
    const hasMoved = this.#hasMoved
    this.#heldStrip = null
    if (pointer.pointerType !== 'mouse') $timelineCursor.set(null)
    // A click opens an event only if it hit a tick; a drag opens the event displayed at its release.
    if (cursor?.event && (cursor.tick || hasMoved)) openClip(cursor.event)
  }

  /** Ends the gesture when the browser cancels a pointer. Does nothing if that pointer was already released. */
  readonly #onPointerCancel = (pointer: PointerEvent): void => {
    if (this.#pointerXs.delete(pointer.pointerId)) this.#endDrag()
  }

  readonly #onPointerLeave = (): void => {
    if (!this.#heldStrip) $timelineCursor.set(null)
  }

  readonly #onKeyDown = (key: KeyboardEvent): void => {
    if (key.key !== 'Escape' || !this.#heldStrip) return
    key.preventDefault()
    this.#endDrag()
  }

  readonly #onWheel = (event: WheelEvent): void => {
    const isPan = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)
    const delta = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX
    if (isPan) panTimeline(delta * this.#getScale().perPixel)
    // A touchpad pinch arrives as a wheel event with Ctrl: zoom around the pointer.
    else if (event.ctrlKey || event.metaKey)
      zoomTimeline(WHEEL_ZOOM_BASE ** event.deltaY, this.#getTimeAt(event.clientX))
    else if (event.deltaY !== 0) zoomTimeline(WHEEL_ZOOM_BASE ** event.deltaY)
    else return
    event.preventDefault()
  }

  #applyPinch(pointer: PointerEvent): void {
    const before = this.#getPointerSpread()
    this.#pointerXs.set(pointer.pointerId, pointer.clientX)
    const after = this.#getPointerSpread()
    if (after.width > 0 && before.width > 0) zoomTimeline(before.width / after.width, this.#getTimeAt(after.middle))
  }

  #moveCursorTo(strip: HTMLElement, clientX: number): void {
    const lane = this.#findCameraStrip(strip.dataset['strip'] ?? '')
    if (lane) $timelineCursor.set(createCursorAtX(lane, clientX - strip.getBoundingClientRect().left))
  }

  /** Ends the drag without opening an event. */
  #endDrag(): void {
    this.#heldStrip = null
    $timelineCursor.set(null)
  }

  #getPointerSpread(): { width: number; middle: number } {
    const [a = 0, b = 0] = this.#pointerXs.values()
    return { width: Math.abs(a - b), middle: (a + b) / 2 }
  }

  #getScale(): { left: number; begin: number; perPixel: number } {
    const strip = this.#element.querySelector<HTMLElement>('[data-strip]')
    const box = strip?.getBoundingClientRect()
    const view = this.#findCameraStrip(strip?.dataset['strip'] ?? '')?.view ?? { begin: 0, end: 0 }
    return { left: box?.left ?? 0, begin: view.begin, perPixel: (view.end - view.begin) / Math.max(1, box?.width ?? 1) }
  }

  #getTimeAt(x: number): number {
    const { left, begin, perPixel } = this.#getScale()
    return begin + (x - left) * perPixel
  }
}

function findStrip({ target }: Event): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-strip]') : null
}
