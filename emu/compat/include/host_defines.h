/// Specifier words are handled by the rewriter; what remains of this header are the compiler's own attributes.
#pragma once
