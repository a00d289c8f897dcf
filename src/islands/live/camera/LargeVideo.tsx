import { useStore } from '@nanostores/react'
import { useLayoutEffect, useRef, type RefObject } from 'react'
import type { TileState } from '../../../media/live/tile-state-machine.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { getLiveView } from '../../../stores/live/live-tiles.ts'
import { $zoom } from '../../../stores/live/zoom.ts'
import { InsetVideo } from '../parts/InsetVideo.tsx'
import { TileStatus } from '../parts/TileStatus.tsx'
import { consumeTileRect } from '../parts/open-transition.ts'
import { StatusPills } from '../parts/StatusPills.tsx'
import { TileSubtitle } from '../parts/TileSubtitle.tsx'
import { getStateLabel } from '../parts/tile-labels.ts'
import { CameraActions } from './CameraActions.tsx'
import { AdjacentCameraLinks } from './CameraHeader.tsx'
import { ZoomHint } from './ZoomHint.tsx'
import { ZoomControl, ZoomOutline } from './ZoomControl.tsx'
import { useZoomGestures } from './use-gestures.ts'

const OPEN_ANIMATION_MS = 280

/** Large video with its overlays. On phones, the name and the actions are below the video. */
export function LargeVideo({ camera, tile }: { camera: Device; tile: TileState }) {
  const container = useRef<HTMLDivElement>(null)
  const view = useRef<HTMLDivElement>(null)
  const videoHolder = useRef<HTMLDivElement>(null)
  const zoom = useStore($zoom)
  const isPlaying = tile.phase === 'playing'
  useBorrowedVideo(camera.device_id, videoHolder)
  useOpenAnimation(container)
  useZoomGestures(view)
  return (
    <div ref={container} className="one-frame" data-camera={camera.device_id}>
      <div
        ref={view}
        className="one-view"
        role="group"
        aria-label={`${camera.nickname}, ${getStateLabel(tile)}`}
        data-phase={tile.phase}
        data-zoomed={zoom.scale > 1}
      >
        <div
          ref={videoHolder}
          className="one-holder"
          data-phase={tile.phase}
          style={{
            transform: `translate(${-zoom.x * zoom.scale * 100}%, ${-zoom.y * zoom.scale * 100}%) scale(${zoom.scale})`,
          }}
        />
        {isPlaying && <InsetVideo camera={camera} isOpen />}
        <StatusPills tile={tile} />
        {!isPlaying && <TileStatus camera={camera} tile={tile} />}
        {zoom.scale > 1 && <ZoomOutline deviceId={camera.device_id} zoom={zoom} />}
        <ZoomHint isPlaying={isPlaying} />
        <ZoomControl zoom={zoom} />
      </div>
      <div className="one-foot">
        <div className="one-caption">
          <p className="one-name">{camera.nickname}</p>
          <TileSubtitle camera={camera} tile={tile} />
        </div>
        <AdjacentCameraLinks camera={camera} />
        <CameraActions camera={camera} isPlaying={isPlaying} container={container} />
      </div>
    </div>
  )
}

/**
 * Moves the video from the camera's hidden tile into `videoHolder`. Returns it to the tile when the user opens another
 * camera or the grid.
 */
function useBorrowedVideo(deviceId: string, videoHolder: RefObject<HTMLDivElement | null>) {
  useLayoutEffect(() => {
    const { container: videoContainer } = getLiveView(deviceId)
    if (videoHolder.current) moveVideo(videoContainer, videoHolder.current)
    return () => returnVideo(videoContainer, deviceId)
  }, [deviceId, videoHolder])
}

function useOpenAnimation(container: RefObject<HTMLDivElement | null>) {
  useLayoutEffect(() => {
    const from = consumeTileRect()
    const to = container.current?.getBoundingClientRect()
    if (!from || !to || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const start = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width}, ${from.height / to.height})`
    container.current?.animate(
      { transformOrigin: ['0 0', '0 0'], transform: [start, 'none'] },
      { duration: OPEN_ANIMATION_MS, easing: 'cubic-bezier(0.2, 0, 0, 1)' },
    )
  }, [container])
}

interface MoveBeforeTarget {
  moveBefore?: (node: Node, before: Node | null) => void
}

/**
 * Moves a camera's video into `container`. Uses `moveBefore` if the browser has it, so that the video keeps playing.
 */
function moveVideo(videoContainer: HTMLElement, container: HTMLElement): void {
  const target: MoveBeforeTarget = container
  if (target.moveBefore && videoContainer.isConnected && container.isConnected)
    target.moveBefore(videoContainer, container.firstChild)
  else container.prepend(videoContainer)
}

function returnVideo(videoContainer: HTMLElement, deviceId: string): void {
  const tile = document.querySelector<HTMLElement>(`.live-tile[data-camera="${CSS.escape(deviceId)}"]`)
  if (tile) moveVideo(videoContainer, tile)
  else videoContainer.remove()
}
