import { later } from './call.ts'

export const eventFeedback = later('CALL-44', 'PUT', '/events/{event_id}/feedback', 'ai-feedback', { nonce: true })
export const feedbackVideo = later('CALL-45', 'POST', '/feedbackvideo/{deviceMac}/{eventId}', 'ai-feedback', {
  nonce: true,
})
