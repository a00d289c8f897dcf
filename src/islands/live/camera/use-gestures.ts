import { useEffect, type RefObject } from 'react'
import { type ViewPoint, toggleZoom } from '../../../domain/live/zoom.ts'
import { showAdjacentCamera } from '../../../stores/live/adjacent-cameras.ts'
import { $zoom, panView, zoomView } from '../../../stores/live/zoom.ts'
import { isPressed } from '../../../ui/pointer-state.ts'

/** Minimum horizontal distance of a swipe, px. */
const SWIPE_MIN_PX = 50
/**
 * Time after opening during which double clicks are ignored, ms. Their first click may be the click that opened the
 * camera.
 */
const DOUBLE_CLICK_GUARD_MS = 500
/**
 * Exponent of the zoom factor per pixel of wheel movement. Touchpad pinches report smaller steps and need a larger
 * exponent.
 */
const WHEEL_ZOOM_PER_PX = 0.0022
const PINCH_ZOOM_PER_PX = 0.01
const WHEEL_LINE_PX = 16

interface PressedPointer extends ViewPoint {
  readonly startX: number
  readonly startY: number
}

/** Handles wheel, drag, pinch, double click and swipe on the video. */
export function useZoomGestures(view: RefObject<HTMLElement | null>) {
  useEffect(() => (view.current ? watchGestures(view.current) : undefined), [view])
}

function watchGestures(view: HTMLElement): () => void {
  const pointers = new Map<number, PressedPointer>()
  const openedAt = performance.now()
  let isSwipe = false
  const releasePointer = (event: PointerEvent) => {
    const pressed = pointers.get(event.pointerId)
    pointers.delete(event.pointerId)
    if (pressed && isSwipe && event.type === 'pointerup') showNextOnSwipe(pressed, event)
    isSwipe = false
  }
  const listeners: { [Type in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Type]) => void } = {
    wheel: (event) => zoomWithWheel(view, event),
    dblclick: (event) => {
      if (isControl(event) || performance.now() - openedAt < DOUBLE_CLICK_GUARD_MS) return
      $zoom.set(toggleZoom($zoom.get(), toRelativePoint(view, event.clientX, event.clientY)))
    },
    pointerdown: (event) => {
      if (event.button !== 0 || isControl(event)) return
      const { clientX: x, clientY: y } = event
      pointers.set(event.pointerId, { x, y, startX: x, startY: y })
      isSwipe = pointers.size === 1 && event.pointerType !== 'mouse' && $zoom.get().scale === 1
    },
    pointermove: (event) => {
      const pressed = pointers.get(event.pointerId)
      if (!pressed) return
      // No button is pressed: the page missed the release outside the window or over a menu.
      if (!isPressed(event)) return releasePointer(event)
      const before = [...pointers.values()]
      pointers.set(event.pointerId, { ...pressed, x: event.clientX, y: event.clientY })
      applyGesture(view, before, [...pointers.values()])
      if ($zoom.get().scale > 1 && !view.hasPointerCapture(event.pointerId)) view.setPointerCapture(event.pointerId)
    },
    pointerup: releasePointer,
    pointercancel: releasePointer,
  }
  for (const [type, listener] of Object.entries(listeners))
    view.addEventListener(type, listener as EventListener, { passive: false })
  return () => {
    for (const [type, listener] of Object.entries(listeners)) view.removeEventListener(type, listener as EventListener)
  }
}

/** Returns true for buttons and links over the video, whose clicks are not gestures. */
const isControl = ({ target }: Event) => target instanceof Element && target.closest('button, a') !== null

function toRelativePoint(view: HTMLElement, x: number, y: number): ViewPoint {
  const box = view.getBoundingClientRect()
  return { x: (x - box.x) / box.width, y: (y - box.y) / box.height }
}

/** Zooms with the wheel. While the image is not zoomed in, scrolling down scrolls the page instead. */
function zoomWithWheel(view: HTMLElement, event: WheelEvent): void {
  if ($zoom.get().scale === 1 && event.deltaY >= 0) return
  event.preventDefault()
  const px = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? WHEEL_LINE_PX : 1)
  const factor = Math.exp(-px * (event.ctrlKey ? PINCH_ZOOM_PER_PX : WHEEL_ZOOM_PER_PX))
  zoomView(factor, toRelativePoint(view, event.clientX, event.clientY))
}

/** Pans the video by the movement of the pointer, or of the center between two pointers. Two pointers also zoom. */
function applyGesture(view: HTMLElement, before: readonly ViewPoint[], after: readonly ViewPoint[]): void {
  const [from, to] = [getCenter(before), getCenter(after)]
  const box = view.getBoundingClientRect()
  panView({ x: (to.x - from.x) / box.width, y: (to.y - from.y) / box.height })
  if (after.length < 2) return
  const [distanceBefore, distanceAfter] = [getDistance(before), getDistance(after)]
  if (distanceBefore > 0 && distanceAfter > 0)
    zoomView(distanceAfter / distanceBefore, toRelativePoint(view, to.x, to.y))
}

function getCenter(points: readonly ViewPoint[]): ViewPoint {
  const sum = points.reduce((total, { x, y }) => ({ x: total.x + x, y: total.y + y }), { x: 0, y: 0 })
  return { x: sum.x / points.length, y: sum.y / points.length }
}

const getDistance = ([a, b]: readonly ViewPoint[]) => (a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0)

function showNextOnSwipe({ startX, startY }: PressedPointer, { clientX, clientY }: PointerEvent): void {
  const [x, y] = [clientX - startX, clientY - startY]
  if (Math.abs(x) >= SWIPE_MIN_PX && Math.abs(x) > 1.5 * Math.abs(y)) showAdjacentCamera(x < 0 ? 1 : -1)
}
