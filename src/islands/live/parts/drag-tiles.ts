import { canMoveCamera, moveCamera } from '../../../stores/live/camera-order.ts'
import { announce } from '../../../stores/live/screen-reader-announcement.ts'
import { $layout } from '../../../stores/live/live-layout.ts'
import { $liveCameras } from '../../../stores/live/live-page.ts'
import { isPressed } from '../../../ui/pointer-state.ts'

/**
 * Mouse movement that starts a drag, and finger movement that cancels the hold, px. `TOUCH_HOLD_MS`: time that a finger
 * must rest before it can drag, ms.
 */
const DRAG_START_PX = 8
const TOUCH_HOLD_MS = 350

interface TileDrag {
  readonly tile: HTMLElement
  readonly id: string
  readonly pointerId: number
  readonly x: number
  readonly y: number
  isMoving: boolean
  target: HTMLElement | null
  holdTimer: ReturnType<typeof setTimeout> | undefined
}

/** Lets mouse and fingers drag tiles to another position. Returns an unsubscribe function. */
export function watchTileDrags(): () => void {
  let drag: TileDrag | null = null
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
      // No button is pressed: the page missed the release outside the window or over a menu.
      if (!isPressed(event)) return end()
      const hasMovedFar = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > DRAG_START_PX
      if (!drag.isMoving && hasMovedFar && event.pointerType !== 'mouse') return end()
      if (hasMovedFar) drag.isMoving = true
      if (drag.isMoving) moveDrag(drag, event)
    },
    pointerup: (event) => {
      if (drag?.pointerId !== event.pointerId) return
      const { isMoving, id, target } = drag
      end()
      if (isMoving) suppressNextClick()
      if (isMoving && target) dropTile(id, target)
    },
    pointercancel: end,
    keydown: (event) => event.key === 'Escape' && end(),
    // Prevents the touch from scrolling the page while it moves the tile.
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

function startDrag({ target, button, pointerId, pointerType, clientX, clientY }: PointerEvent): TileDrag | null {
  const tile = target instanceof Element ? target.closest('.live-open')?.closest<HTMLElement>('.live-tile') : null
  const id = tile?.dataset['camera']
  if (button !== 0 || !tile || !id || $layout.get() === 'one' || !canMoveCamera($liveCameras.get(), id)) return null
  const drag: TileDrag = {
    tile,
    id,
    pointerId,
    x: clientX,
    y: clientY,
    isMoving: false,
    target: null,
    holdTimer: undefined,
  }
  if (pointerType !== 'mouse') {
    drag.holdTimer = setTimeout(() => {
      drag.isMoving = true
      tile.dataset['dragged'] = 'true'
    }, TOUCH_HOLD_MS)
  }
  return drag
}

function moveDrag(drag: TileDrag, { clientX, clientY }: PointerEvent): void {
  drag.tile.dataset['dragged'] = 'true'
  drag.tile.style.translate = `${clientX - drag.x}px ${clientY - drag.y}px`
  const tileUnder = document
    .elementsFromPoint(clientX, clientY)
    .map((element) => element.closest<HTMLElement>('.live-tile'))
    .find((tile) => tile && tile !== drag.tile)
  if (tileUnder === drag.target) return
  delete drag.target?.dataset['drop']
  drag.target = tileUnder ?? null
  if (tileUnder) tileUnder.dataset['drop'] = 'true'
}

function endDrag(drag: TileDrag): void {
  clearTimeout(drag.holdTimer)
  drag.tile.style.translate = ''
  delete drag.tile.dataset['dragged']
  delete drag.target?.dataset['drop']
}

/** Suppresses the click that the browser fires right after a drag, which would open the camera. */
function suppressNextClick(): void {
  const stop = (click: Event) => click.stopPropagation()
  document.addEventListener('click', stop, { capture: true, once: true })
  setTimeout(() => document.removeEventListener('click', stop, { capture: true }))
}

function dropTile(id: string, target: HTMLElement): void {
  const targetId = target.dataset['camera'] ?? ''
  if (!moveCamera(id, targetId)) return
  const cameras = $liveCameras.get()
  const position = cameras.findIndex(({ device_id }) => device_id === id)
  announce(`${cameras[position]?.nickname} moved to position ${position + 1} of ${cameras.length}.`)
}
