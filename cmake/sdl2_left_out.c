// What imgui_impl_sdl2.cpp names and never calls here: the page leaves out SDL's game controllers (their list of devices alone
// would be a tenth of the download) and its renderer.
#include <SDL.h>

SDL_bool SDL_IsGameController(int index) { (void)index; return SDL_FALSE; }
SDL_GameController* SDL_GameControllerOpen(int index) { (void)index; return NULL; }
void SDL_GameControllerClose(SDL_GameController* controller) { (void)controller; }
Sint16 SDL_GameControllerGetAxis(SDL_GameController* controller, SDL_GameControllerAxis axis) {
    (void)controller; (void)axis; return 0;
}
Uint8 SDL_GameControllerGetButton(SDL_GameController* controller, SDL_GameControllerButton button) {
    (void)controller; (void)button; return 0;
}
int SDL_GetRendererOutputSize(SDL_Renderer* renderer, int* width, int* height) {
    (void)renderer; *width = *height = 0; return -1;
}
