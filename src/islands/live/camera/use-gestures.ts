import { useEffect, type RefObject } from 'react'
import { type ViewPoint, toggleZoom } from '../../../domain/live/zoom.ts'
import { showNext } from '../../../stores/live/adjacent-cameras.ts'
import { $zoom, movePicture, zoomPicture } from '../../../stores/live/zoom.ts'
import { isPressed } from '../../../ui/pointer-state.ts'

/** Minimum distance of a swipe, px; it must be mostly horizontal. */
const SWIPE_PX = 50
/**
 * Time after opening during which double clicks are ignored, ms: the first click of such a double click may be the one
 * that opened the camera.
 */
const OPENING_MS = 500
/**
 * Zoom per pixel of wheel movement. One notch zooms by a quarter; `PINCH` is for touchpad pinches, which report smaller
 * steps.
 */
const WHEEL = 0.0022
const PINCH = 0.01
const LINE_PX = 16

interface Finger extends ViewPoint {
  readonly startX: number
  readonly startY: number
}

/** Handles wheel, drag, pinch, double click and swipe on the video. */
export function useZoomGestures(view: RefObject<HTMLElement | null>) {
  useEffect(() => (view.current ? watchGestures(view.current) : undefined), [view])
}

function watchGestures(view: HTMLElement): () => void {
  const fingers = new Map<number, Finger>()
  const opened = performance.now()
  let isSwipe = false
  const up = (event: PointerEvent) => {
    const finger = fingers.get(event.pointerId)
    fingers.delete(event.pointerId)
    if (finger && isSwipe && event.type === 'pointerup') swipe(finger, event)
    isSwipe = false
  }
  const listeners: { [Type in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Type]) => void } = {
    wheel: (event) => turnWheel(view, event),
    dblclick: (event) => {
      if (isControl(event) || performance.now() - opened < OPENING_MS) return
      $zoom.set(toggleZoom($zoom.get(), relativePoint(view, event.clientX, event.clientY)))
    },
    pointerdown: (event) => {
      if (event.button !== 0 || isControl(event)) return
      const { clientX: x, clientY: y } = event
      fingers.set(event.pointerId, { x, y, startX: x, startY: y })
      isSwipe = fingers.size === 1 && event.pointerType !== 'mouse' && $zoom.get().scale === 1
    },
    pointermove: (event) => {
      const finger = fingers.get(event.pointerId)
      if (!finger) return
      // The page missed the release, because the pointer was outside the window or over a menu.
      if (!isPressed(event)) return up(event)
      const before = [...fingers.values()]
      fingers.set(event.pointerId, { ...finger, x: event.clientX, y: event.clientY })
      applyGesture(view, before, [...fingers.values()])
      if ($zoom.get().scale > 1 && !view.hasPointerCapture(event.pointerId)) view.setPointerCapture(event.pointerId)
    },
    pointerup: up,
    pointercancel: up,
  }
  for (const [type, listener] of Object.entries(listeners))
    view.addEventListener(type, listener as EventListener, { passive: false })
  return () => {
    for (const [type, listener] of Object.entries(listeners)) view.removeEventListener(type, listener as EventListener)
  }
}

/** Clicks on buttons and links over the video are not gestures. */
const isControl = ({ target }: Event) => target instanceof Element && target.closest('button, a') !== null

function relativePoint(view: HTMLElement, x: number, y: number): ViewPoint {
  const box = view.getBoundingClientRect()
  return { x: (x - box.x) / box.width, y: (y - box.y) / box.height }
}

/** Zooms with the wheel. If the image is not zoomed, turning the wheel toward the user scrolls the page. */
function turnWheel(view: HTMLElement, event: WheelEvent): void {
  if ($zoom.get().scale === 1 && event.deltaY >= 0) return
  event.preventDefault()
  const px = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1)
  const factor = Math.exp(-px * (event.ctrlKey ? PINCH : WHEEL))
  zoomPicture(factor, relativePoint(view, event.clientX, event.clientY))
}

/** Moves a zoomed video with one pointer, zooms it with two. */
function applyGesture(view: HTMLElement, before: readonly ViewPoint[], after: readonly ViewPoint[]): void {
  const [from, to] = [middle(before), middle(after)]
  const box = view.getBoundingClientRect()
  movePicture({ x: (to.x - from.x) / box.width, y: (to.y - from.y) / box.height })
  if (after.length < 2) return
  const [was, is] = [apart(before), apart(after)]
  if (was > 0 && is > 0) zoomPicture(is / was, relativePoint(view, to.x, to.y))
}

function middle(points: readonly ViewPoint[]): ViewPoint {
  const sum = points.reduce((total, { x, y }) => ({ x: total.x + x, y: total.y + y }), { x: 0, y: 0 })
  return { x: sum.x / points.length, y: sum.y / points.length }
}

const apart = ([a, b]: readonly ViewPoint[]) => (a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0)

function swipe({ startX, startY }: Finger, { clientX, clientY }: PointerEvent): void {
  const [x, y] = [clientX - startX, clientY - startY]
  if (Math.abs(x) >= SWIPE_PX && Math.abs(x) > 1.5 * Math.abs(y)) showNext(x < 0 ? 1 : -1)
}
