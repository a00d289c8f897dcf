import { useStore } from '@nanostores/react'
import { Suspense, useEffect, useLayoutEffect, useRef } from 'react'
import type { Device } from '../../../stores/home/devices.ts'
import { toggleSingleCamera } from '../../../stores/live/live-layout.ts'
import { $tiles, getLiveView, getTileState, setCameraWanted } from '../../../stores/live/live-tiles.ts'
import { LazyTileControls, LazyInsetVideo, LazyTileStatus, LazyTileSubtitle } from './lazy-tile-parts.ts'
import { StatusPills } from './StatusPills.tsx'
import { getStateLabel } from './tile-labels.ts'

/** Tile of one camera in the grid. A button over the whole tile opens the camera. */
export function Tile({ camera }: { camera: Device }) {
  const { device_id, nickname } = camera
  const tile = getTileState(useStore($tiles, { keys: [device_id], deps: [device_id] }), device_id)
  const isPlaying = tile.phase === 'playing'
  const tileRef = useRef<HTMLLIElement>(null)
  useTileVideo(camera, tileRef)
  return (
    <li
      ref={tileRef}
      className="tile live-tile"
      data-phase={tile.phase}
      data-reason={tile.reason}
      data-camera={device_id}
      aria-label={`${nickname}, ${getStateLabel(tile)}`}
    >
      <Suspense>{isPlaying && <LazyInsetVideo camera={camera} />}</Suspense>
      <button
        type="button"
        className="live-open"
        aria-label={`Open ${nickname}`}
        onClick={({ detail }) => detail < 2 && toggleSingleCamera(device_id)}
      />
      <StatusPills tile={tile} />
      <Suspense>{!isPlaying && <LazyTileStatus camera={camera} tile={tile} />}</Suspense>
      <div className="tile-bottom live-bottom">
        <div className="live-caption">
          <h2 className="tile-name">{nickname}</h2>
          <Suspense>
            <LazyTileSubtitle camera={camera} tile={tile} />
          </Suspense>
        </div>
        <Suspense>
          <LazyTileControls camera={camera} isPlaying={isPlaying} tileRef={tileRef} />
        </Suspense>
      </div>
    </li>
  )
}

/**
 * Puts the camera's video into `tile`, unless the view of the open camera shows the video. The video plays while it is
 * on screen or in picture-in-picture.
 */
export function useTileVideo({ device_id, nickname }: Device, tile: React.RefObject<HTMLLIElement | null>) {
  useLayoutEffect(() => {
    const { container, video } = getLiveView(device_id)
    video.ariaLabel = `${nickname}, live video`
    if (container.parentNode !== tile.current && !container.closest('.one-camera')) tile.current?.prepend(container)
  }, [device_id, nickname, tile])
  useEffect(() => {
    const { container, video } = getLiveView(device_id)
    let isVisible = true
    const reportVisibility = () => setCameraWanted(device_id, isVisible || document.pictureInPictureElement === video)
    const observer = new IntersectionObserver(([entry]) => {
      isVisible = entry?.isIntersecting ?? false
      reportVisibility()
    })
    reportVisibility()
    observer.observe(container)
    video.addEventListener('leavepictureinpicture', reportVisibility)
    return () => {
      observer.disconnect()
      video.removeEventListener('leavepictureinpicture', reportVisibility)
      setCameraWanted(device_id, false)
    }
  }, [device_id])
}
