import type { Event } from '../../../../contract/events/events.ts'
import { titleLabel } from '../../../domain/events/event-types.ts'
import { waitForFirstFrame } from '../../../media/clip/first-frame.ts'
import { $isClipOpen } from '../../../stores/events/event-url.ts'

/** Classes of the clip stage and its picture, which are the same before and after React renders them. */
export const STAGE_CLASSES =
  'stage relative flex-none max-md:flex max-md:min-h-full max-md:flex-col max-md:rounded-none! md:grid md:rounded-[20px]! md:p-3.5 md:max-lg:grid-cols-[minmax(0,1fr)_220px] md:max-lg:gap-4 lg:min-h-[460px] xl:grid-cols-[minmax(0,1fr)_320px] xl:gap-5'
export const PICTURE_CLASSES = 'relative aspect-video min-h-0 overflow-hidden bg-[#0c0911] md:rounded-[14px]'
export const INFO_CLASSES =
  'max-md:bg-page max-md:text-ink flex min-w-0 flex-col max-md:flex-1 max-md:rounded-t-[24px] max-md:p-4 max-md:pt-5 md:pt-1 lg:max-xl:relative lg:max-xl:pt-3'
export const TITLE_CLASSES = 'pr-12 text-[22px]! outline-hidden'

/**
 * Maximum wait for the first frame, ms, before React renders the stage. Rendering takes longer than displaying a frame
 * that has been decoded.
 */
const STAGE_WAIT_MS = 150
const HIDDEN_COLUMN_CLASS = 'max-lg:hidden'

let earlyStage: HTMLElement | null = null

/**
 * Shows the video and the title of an event in the stage's place, without React, unless a clip is open. Without a
 * `video`, shows the thumbnail. Returns a promise of the moment at which React should render the stage; null: now.
 */
export function showEarlyStage(event: Event, video: HTMLVideoElement | null): Promise<void> | null {
  const column = document.querySelector('[data-column]')
  if (!column || (column.querySelector(':scope > .stage') && !earlyStage)) return null
  if (!video || video.parentElement?.closest('.stage') !== earlyStage) {
    removeEarlyStage()
    earlyStage = createStage(event, video)
    column.classList.remove(HIDDEN_COLUMN_CLASS)
    column.prepend(earlyStage)
  }
  return new Promise((resolve) => {
    if (video) waitForFirstFrame(video, resolve, STAGE_WAIT_MS)
    else requestAnimationFrame(() => setTimeout(resolve))
  })
}

/** Removes the early stage, for example when React has rendered the stage. */
export function removeEarlyStage(): void {
  earlyStage?.parentElement?.classList.toggle(HIDDEN_COLUMN_CLASS, !$isClipOpen.get())
  earlyStage?.remove()
  earlyStage = null
}

/** Sets the attributes of the video. Its element exists before React renders, so that it loads immediately. */
export function describeVideo(video: HTMLVideoElement, { event_id, title }: Event): void {
  Object.assign(video, { autoplay: true, poster: `/m/thumb/${event_id}`, className: 'size-full object-contain' })
  video.setAttribute('aria-label', `Clip: ${title}`)
}

function createStage(event: Event, video: HTMLVideoElement | null): HTMLElement {
  const stage = createElement('div', STAGE_CLASSES)
  const player = createElement('div', 'relative min-w-0')
  const picture = createElement('div', PICTURE_CLASSES)
  const info = createElement('div', INFO_CLASSES)
  const title = createElement('h2', TITLE_CLASSES)
  title.textContent = titleLabel(event)
  if (video) {
    describeVideo(video, event)
    picture.append(video)
  } else {
    const image = createElement('img', 'size-full object-cover')
    Object.assign(image, { src: `/m/thumb/${event.event_id}`, alt: '' })
    picture.append(image)
  }
  player.append(picture)
  info.append(title)
  stage.append(player, info)
  return stage
}

function createElement<Name extends keyof HTMLElementTagNameMap>(name: Name, className: string) {
  return Object.assign(document.createElement(name), { className })
}
