import { canMove, placeCamera } from '../../../stores/live/camera-order.ts'
import { announce } from '../../../stores/live/screen-reader-announcement.ts'
import { $layout } from '../../../stores/live/live-layout.ts'
import { $liveCameras } from '../../../stores/live/live-page.ts'
import { isPressed } from '../../../ui/pointer-state.ts'

/** Mouse movement, px, that starts a drag. `HOLD_MS`: time, ms, that a finger must rest before it can drag. */
const FAR_PX = 8
const HOLD_MS = 350

interface Drag {
  readonly tile: HTMLElement
  readonly id: string
  readonly pointerId: number
  readonly x: number
  readonly y: number
  isMoving: boolean
  target: HTMLElement | null
  hold: ReturnType<typeof setTimeout> | undefined
}

/** Lets mouse and fingers drag tiles to another position. Returns an unsubscribe function. */
export function watchTileDrags(): () => void {
  let drag: Drag | null = null
  const end = () => {
    if (drag) endDrag(drag)
    drag = null
  }
  const listeners: { [Type in keyof DocumentEventMap]?: (event: DocumentEventMap[Type]) => void } = {
    pointerdown: (event) => {
      end()
      drag = startDrag(event)
    },
    pointermove: (event) => {
      if (drag?.pointerId !== event.pointerId) return
      // The page missed the release, because the pointer was outside the window or over a menu.
      if (!isPressed(event)) return end()
      const isFar = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > FAR_PX
      if (!drag.isMoving && isFar && event.pointerType !== 'mouse') return end()
      if (isFar) drag.isMoving = true
      if (drag.isMoving) moveDrag(drag, event)
    },
    pointerup: (event) => {
      if (drag?.pointerId !== event.pointerId) return
      const { isMoving, id, target } = drag
      end()
      if (isMoving) swallowClick()
      if (isMoving && target) drop(id, target)
    },
    pointercancel: end,
    keydown: (event) => event.key === 'Escape' && end(),
    // Without this, the touch would scroll the page instead of moving the tile.
    touchmove: (event) => drag?.isMoving && event.preventDefault(),
    contextmenu: (event) => drag?.isMoving && event.preventDefault(),
  }
  for (const [type, listener] of Object.entries(listeners))
    document.addEventListener(type, listener as EventListener, { passive: false })
  return () => {
    end()
    for (const [type, listener] of Object.entries(listeners))
      document.removeEventListener(type, listener as EventListener)
  }
}

function startDrag({ target, button, pointerId, pointerType, clientX, clientY }: PointerEvent): Drag | null {
  const tile = target instanceof Element ? target.closest('.live-open')?.closest<HTMLElement>('.live-tile') : null
  const id = tile?.dataset['camera']
  if (button !== 0 || !tile || !id || $layout.get() === 'one' || !canMove($liveCameras.get(), id)) return null
  const drag: Drag = { tile, id, pointerId, x: clientX, y: clientY, isMoving: false, target: null, hold: undefined }
  if (pointerType !== 'mouse') {
    drag.hold = setTimeout(() => {
      drag.isMoving = true
      tile.dataset['dragged'] = 'true'
    }, HOLD_MS)
  }
  return drag
}

function moveDrag(drag: Drag, { clientX, clientY }: PointerEvent): void {
  drag.tile.dataset['dragged'] = 'true'
  drag.tile.style.translate = `${clientX - drag.x}px ${clientY - drag.y}px`
  const under = document
    .elementsFromPoint(clientX, clientY)
    .map((element) => element.closest<HTMLElement>('.live-tile'))
    .find((tile) => tile && tile !== drag.tile)
  if (under === drag.target) return
  delete drag.target?.dataset['drop']
  drag.target = under ?? null
  if (under) under.dataset['drop'] = 'true'
}

function endDrag(drag: Drag): void {
  clearTimeout(drag.hold)
  drag.tile.style.translate = ''
  delete drag.tile.dataset['dragged']
  delete drag.target?.dataset['drop']
}

/** Suppresses the click after a drag, which would open the camera. The click, if any, follows immediately. */
function swallowClick(): void {
  const stop = (click: Event) => click.stopPropagation()
  document.addEventListener('click', stop, { capture: true, once: true })
  setTimeout(() => document.removeEventListener('click', stop, { capture: true }))
}

function drop(id: string, target: HTMLElement): void {
  const targetId = target.dataset['camera'] ?? ''
  if (!placeCamera(id, targetId)) return
  const cameras = $liveCameras.get()
  const at = cameras.findIndex(({ device_id }) => device_id === id)
  announce(`${cameras[at]?.nickname} is now ${at + 1} of ${cameras.length}.`)
}
