import { useStore } from '@nanostores/react'
import { useLayoutEffect, useRef, type RefObject } from 'react'
import type { TileState } from '../../../media/live/tile-state-machine.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { getPicture } from '../../../stores/live/live-tiles.ts'
import { $zoom } from '../../../stores/live/zoom.ts'
import { InsetVideo } from '../parts/InsetVideo.tsx'
import { TileStatus } from '../parts/TileStatus.tsx'
import { consumeTileRect } from '../parts/open-transition.ts'
import { Pills } from '../parts/StatusPills.tsx'
import { TileSubtitle } from '../parts/TileSubtitle.tsx'
import { stateWord } from '../parts/tile-labels.ts'
import { CameraActions } from './CameraActions.tsx'
import { Neighbors } from './CameraHeader.tsx'
import { ZoomHint } from './ZoomHint.tsx'
import { ZoomControl, ZoomOutline } from './ZoomControl.tsx'
import { placePicture, returnPicture } from './move-video.ts'
import { useZoomGestures } from './use-gestures.ts'

const GROW_MS = 280

/** Large video with its overlays. On phones, the name and the actions are below the video. */
export function Frame({ camera, tile }: { camera: Device; tile: TileState }) {
  const frame = useRef<HTMLDivElement>(null)
  const view = useRef<HTMLDivElement>(null)
  const holder = useRef<HTMLDivElement>(null)
  const zoom = useStore($zoom)
  const isPlaying = tile.phase === 'playing'
  usePicture(camera.device_id, holder)
  useGrowing(frame)
  useZoomGestures(view)
  return (
    <div ref={frame} className="one-frame" data-camera={camera.device_id}>
      <div
        ref={view}
        className="one-view"
        role="group"
        aria-label={`${camera.nickname}, ${stateWord(tile)}`}
        data-phase={tile.phase}
        data-zoomed={zoom.scale > 1}
      >
        <div
          ref={holder}
          className="one-holder"
          data-phase={tile.phase}
          style={{
            transform: `translate(${-zoom.x * zoom.scale * 100}%, ${-zoom.y * zoom.scale * 100}%) scale(${zoom.scale})`,
          }}
        />
        {isPlaying && <InsetVideo camera={camera} isOpen />}
        <Pills tile={tile} />
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
        <Neighbors camera={camera} />
        <CameraActions camera={camera} isPlaying={isPlaying} frame={frame} />
      </div>
    </div>
  )
}

/**
 * Moves the video from the camera's hidden tile into `holder`. Returns it when the user opens another camera or the
 * grid.
 */
function usePicture(deviceId: string, holder: RefObject<HTMLDivElement | null>) {
  useLayoutEffect(() => {
    const { box } = getPicture(deviceId)
    if (holder.current) placePicture(box, holder.current)
    return () => returnPicture(box, deviceId)
  }, [deviceId, holder])
}

/** Animates the video from the position of its tile. */
function useGrowing(frame: RefObject<HTMLDivElement | null>) {
  useLayoutEffect(() => {
    const from = consumeTileRect()
    const to = frame.current?.getBoundingClientRect()
    if (!from || !to || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const start = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width}, ${from.height / to.height})`
    frame.current?.animate(
      { transformOrigin: ['0 0', '0 0'], transform: [start, 'none'] },
      { duration: GROW_MS, easing: 'cubic-bezier(0.2, 0, 0, 1)' },
    )
  }, [frame])
}
