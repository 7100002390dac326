#include "models/core/interfaces.h"
