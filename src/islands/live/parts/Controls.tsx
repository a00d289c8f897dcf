import Maximize from 'lucide-react/icons/maximize'
import PictureInPicture2 from 'lucide-react/icons/picture-in-picture-2'
import type { RefObject } from 'react'
import { toggleFullScreen } from './use-keys.ts'

/** Shown on hover, focus and tap. */
export function Controls({
  box,
  video,
}: {
  box: RefObject<HTMLLIElement | null>
  video: RefObject<HTMLVideoElement | null>
}) {
  return (
    <div className="live-controls">
      {document.pictureInPictureEnabled && (
        <button
          type="button"
          className="tile-btn"
          aria-label="Picture in picture"
          title="Picture in picture"
          onClick={() => void float(video.current)}
        >
          <PictureInPicture2 size={18} aria-hidden="true" />
        </button>
      )}
      {document.fullscreenEnabled && (
        <button
          type="button"
          className="tile-btn"
          aria-label="Full screen"
          title="Full screen (f)"
          onClick={() => toggleFullScreen(box.current)}
        >
          <Maximize size={18} aria-hidden="true" />
        </button>
      )}
    </div>
  )
}

async function float(video: HTMLVideoElement | null): Promise<void> {
  try {
    if (document.pictureInPictureElement === video) await document.exitPictureInPicture()
    else await video?.requestPictureInPicture()
  } catch {
    // Refused by the browser, for instance without a picture yet: the tile stays as it is.
  }
}
