import { useEffect, useState } from 'react'
import { type OpenClipState, retryClip } from '../../../stores/events/open-clip.ts'
import { EventNavigation } from './EventNavigation.tsx'

/** Placeholder while a clip loads or is missing: the event's thumbnail and the reason. */
export function ClipPicture({ clip }: { clip: Exclude<OpenClipState, { state: 'none' | 'ready' }> }) {
  const [isMissing, setMissing] = useState(false)
  const hasFailed = clip.state === 'failed'
  useEffect(() => {
    if (!hasFailed) return undefined
    addEventListener('online', retryClip)
    return () => removeEventListener('online', retryClip)
  }, [hasFailed])
  return (
    <>
      <div className="relative aspect-video overflow-hidden bg-[#0c0911] md:rounded-[14px]">
        {clip.event && !isMissing && (
          <img
            key={clip.event.event_id}
            src={`/m/thumb/${clip.event.event_id}`}
            alt=""
            className="size-full object-cover"
            onError={() => setMissing(true)}
          />
        )}
        {clip.state === 'loading' ? (
          <div className="tile-middle" role="status" aria-label="Loading clip">
            <span className="spinner size-8! text-white" />
          </div>
        ) : (
          <>
            <div className="veil" />
            <div className="tile-middle" role="alert">
              <p className="max-w-[290px]">{clip.state === 'failed' ? clip.failure.text : clip.text}</p>
              {hasFailed && (
                <button type="button" className="btn btn-white btn-sm mt-2" onClick={retryClip}>
                  Try again
                </button>
              )}
            </div>
          </>
        )}
      </div>
      <div className="flex h-[78px] items-center justify-center gap-3 md:h-[86px]">
        <EventNavigation size={20} />
      </div>
    </>
  )
}
